#pragma once
#include "Beneath.h"
#include "Descriptors.h"
#include "FileSystem.h"
#include "Sandbox.h"
#include "Memory.h"
