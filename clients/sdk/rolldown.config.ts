import { defineConfig } from 'rolldown';

export default defineConfig({
  input: ['index.ts', 'management.ts', 'react.ts', 'send.ts'],
  platform: 'neutral',
  // What is used of the contract comes along, so that the package installs from one file.
  external: (id) => /^[^./]/.test(id) && !id.startsWith('@tollfree/contract/'),
  resolve: { conditionNames: ['@tollfree/source', 'default'] },
  transform: { target: 'es2022' },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    // A file stays a file, so that bundlers leave out what a page does not use.
    preserveModules: true,
    preserveModulesRoot: '.',
    // The maps stay here: the published code is close to its source, and they would double the package.
    sourcemap: 'hidden',
    comments: { jsdoc: false },
  },
});
