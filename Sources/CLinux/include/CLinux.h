#pragma once
#include "Beneath.h"
#include "Sandbox.h"
#include "Memory.h"
