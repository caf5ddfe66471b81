package io.nixlkv.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One CPU for a server and another one for everything that talks to it: this process and the peers it starts, which inherit it.
 *
 * @param server number of the server's CPU
 * @param client number of the clients' CPU
 */
record CpuSplit(int server, int client) {

    /**
     * The first two CPUs of a list in the kernel's form, such as {@code 0-3,8}.
     *
     * @throws ContenderException if it has fewer
     */
    static CpuSplit of(String allowed) {
        List<Integer> cpus = new ArrayList<>();
        for (String part : allowed.strip().split(",")) {
            String[] ends = part.split("-", 2);
            for (int cpu = Integer.parseInt(ends[0]); cpu <= Integer.parseInt(ends[ends.length - 1]); cpu++) {
                cpus.add(cpu);
            }
        }
        if (cpus.size() < 2) {
            throw new ContenderException(
                    "a server and its clients need a CPU each; this process may use only " + allowed);
        }
        return new CpuSplit(cpus.get(0), cpus.get(1));
    }

    /** The command, started on the server's CPU. */
    List<String> onServer(List<String> command) {
        List<String> all = new ArrayList<>(List.of("taskset", "-c", Integer.toString(server)));
        all.addAll(command);
        return all;
    }

    /** Moves every thread of this process to the clients' CPU; threads and children to come inherit it. */
    void pinThisProcess() {
        List<String> command = List.of(
                "taskset",
                "-a",
                "-p",
                "-c",
                Integer.toString(client),
                Long.toString(ProcessHandle.current().pid()));
        try {
            Process taskset = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!taskset.waitFor(10, TimeUnit.SECONDS) || taskset.exitValue() != 0) {
                throw new ContenderException("taskset could not move this process to CPU " + client);
            }
        } catch (IOException e) {
            throw new ContenderException("taskset of util-linux is needed to give servers a CPU: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ContenderException("interrupted", e);
        }
    }
}
