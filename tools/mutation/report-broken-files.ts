import type { Reporter, Vitest } from 'vitest/node';

/**
 * Makes an error of a file of tests that cannot be loaded. Stryker looks at tests only: a fault by which none of them begins
 * would count as one that no one notices.
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
