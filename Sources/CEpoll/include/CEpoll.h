#pragma once
// The system's headers for epoll and eventfd, which Swift's module for glibc lacks.
#include <sys/epoll.h>
#include <sys/eventfd.h>
