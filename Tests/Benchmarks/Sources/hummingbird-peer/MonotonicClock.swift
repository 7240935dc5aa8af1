../../ ../../ Sources / Threads / MonotonicClock.swift
