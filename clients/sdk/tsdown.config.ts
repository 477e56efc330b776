import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['index.ts', 'management.ts', 'react.ts'],
  // A file stays a file, so that bundlers leave out what a page does not use.
  unbundle: true,
  platform: 'neutral',
  target: 'es2022',
  fixedExtension: false,
  // Rolled up by `roll-up-sdk-types.mjs`.
  dts: false,
  // The maps stay here: the published code is close to its source, and they would double the package.
  sourcemap: 'hidden',
  outputOptions: { comments: { jsdoc: false } },
  // What is used of the contract comes along, so that the package installs from one file.
  inputOptions: { resolve: { conditionNames: ['@tollfree/source', 'default'] } },
  deps: { alwaysBundle: [/^@tollfree\/contract\//] },
});
