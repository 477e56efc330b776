import { join } from 'node:path';
import type { Plugin } from 'vite';

/** The optional packages of the service. An operator installs the needed ones; the tests have all of them. */
const optionalPackage = /^@(aws-sdk|google-cloud|opentelemetry)\//;
const fromTests = join(import.meta.dirname, '../test/package.json');

/** Resolves the service's optional packages from those of the tests. */
export function takeFromTests(): Plugin {
  return {
    name: 'take-from-tests',
    enforce: 'pre',
    resolveId(source) {
      return optionalPackage.test(source) ? this.resolve(source, fromTests, { skipSelf: true }) : undefined;
    },
  };
}
