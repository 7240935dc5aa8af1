#pragma once
#include "Beneath.h"
#include "Sandbox.h"
