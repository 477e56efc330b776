import { vi } from 'vitest';

/** Milliseconds that `vi.waitFor` and `vi.waitUntil` wait unless they are told otherwise. A busy machine needs more than their one second. */
const timeout = 15_000;

// Each test file of a worker loads this file again, and finds the same `vi`.
const isDone = Symbol.for('tollfree: waits longer');
if (!Reflect.has(vi, isDone)) {
  const { waitFor, waitUntil } = vi;
  const withTimeout = (options: Parameters<typeof waitFor>[1]) =>
    typeof options === 'number' ? options : { timeout, ...options };
  vi.waitFor = (callback, options) => waitFor(callback, withTimeout(options));
  vi.waitUntil = (callback, options) => waitUntil(callback, withTimeout(options));
  Reflect.set(vi, isDone, true);
}
