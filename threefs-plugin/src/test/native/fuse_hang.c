// A FUSE mount whose server never answers, and is gone when this is killed. Says "mounted" when it is.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char options[128];
    int fuse = argc == 2 ? open("/dev/fuse", O_RDWR | O_CLOEXEC) : -1;
    if (fuse < 0) return perror("/dev/fuse"), 1;
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
    if (mount("hang", argv[1], "fuse.hang", MS_NOSUID | MS_NODEV, options) != 0) return perror("mount"), 1;
    puts("mounted");
    fflush(stdout);
    for (;;) pause();
}
