import { join } from 'node:path';
import { defaultServerConditions, type Plugin } from 'vite';

/** The optional packages of the service. An operator installs the needed ones; the tests have all of them. */
const optionalPackage = /^@(aws-sdk|google-cloud|opentelemetry)\//;
const fromTests = join(import.meta.dirname, '../test/package.json');

/** Resolves the service's optional packages from those of the tests. */
const takeFromTests: Plugin = {
  name: 'take-from-tests',
  enforce: 'pre',
  resolveId(source) {
    return optionalPackage.test(source) ? this.resolve(source, fromTests, { skipSelf: true }) : undefined;
  },
};

// Packages of this repository are taken from their sources: nothing has to be built before. Others are taken as Node.js
// takes them, which knows no `module`: what is there is for bundlers.
const conditions = ['@tollfree/source', ...defaultServerConditions.filter((name) => name !== 'module')];

/** Where vitest finds packages. Each of its environments needs the conditions; `globalSetup` runs in `__vitest__`. */
export const packageResolution = {
  plugins: [takeFromTests],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  environments: { __vitest__: { resolve: { conditions } } },
};
