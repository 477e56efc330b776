import type { Reporter, Vitest } from 'vitest/node';

/**
 * Reports a test file that cannot be loaded as an error. Stryker only counts tests, so a mutant that prevents loading would
 * count as undetected.
 */
export function reportBrokenFiles(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit: (started) => {
      vitest = started;
    },
    onTestModuleEnd: (module) => {
      for (const error of module.errors()) vitest?.state.catchError(error, 'Unhandled Error');
    },
  };
}
