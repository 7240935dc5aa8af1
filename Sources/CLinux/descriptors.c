#define _GNU_SOURCE
#include "Descriptors.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

union control {
    char bytes[CMSG_SPACE(DescriptorsMaximum * sizeof(int))];
    struct cmsghdr aligned;
};

ssize_t DescriptorsSend(int socket, const void *bytes, size_t count, const int *descriptors, int number) {
    if (number < 0 || number > DescriptorsMaximum) {
        errno = EINVAL;
        return -1;
    }
    union control control;
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    size_t length = (size_t)number * sizeof(int);
    if (number > 0) {
        memset(&control, 0, CMSG_SPACE(length));
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(length);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(length);
        memcpy(CMSG_DATA(header), descriptors, length);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t DescriptorsReceive(int socket, void *bytes, size_t count, int *descriptors, int *number) {
    union control control;
    struct iovec piece = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *number = 0;
    ssize_t got;
    do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got <= 0) return got;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t length = header->cmsg_len - CMSG_LEN(0);
        if (length > (size_t)(DescriptorsMaximum - *number) * sizeof(int)) continue;
        memcpy(descriptors + *number, CMSG_DATA(header), length);
        *number += (int)(length / sizeof(int));
    }
    return got;
}
