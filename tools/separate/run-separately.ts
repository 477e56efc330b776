import { installSeparately, type SeparatePackage } from './install-separately.ts';
import { runSuites } from './run-suites.ts';

/**
 * Installs a package into the machine's temporary folder and runs suites with it, which get its folder as the value
 * `installed`. Flags go to vitest. Returns the exit code: 1 when npm failed.
 */
export function runSeparately(separate: SeparatePackage, suites: string, flags: readonly string[]): number {
  const installed = installSeparately(separate);
  return installed === undefined ? 1 : runSuites(suites, { installed, flags });
}
