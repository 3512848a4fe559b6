#pragma once
#include <stddef.h>
#include <qrencode.h>
