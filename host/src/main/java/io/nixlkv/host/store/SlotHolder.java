package io.nixlkv.host.store;

/** Is told when a lane is stuck with an item past its deadline, and when it lets go: the item's slot must not be reused meanwhile. */
interface SlotHolder {
    /** For calls on names: an object that is written has no place that another one could take. */
    SlotHolder NONE = new SlotHolder() {
        @Override
        public void hold(int item) {}

        @Override
        public void letGo(int item) {}
    };

    void hold(int item);

    void letGo(int item);
}
