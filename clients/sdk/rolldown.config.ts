import { defineConfig } from 'rolldown';

export default defineConfig({
  input: ['index.ts', 'management.ts', 'react.ts', 'send.ts'],
  platform: 'neutral',
  // The used parts of the contract are included, so that the package installs from one file.
  external: (id) => /^[^./]/.test(id) && !id.startsWith('@tollfree/contract/'),
  resolve: { conditionNames: ['@tollfree/source', 'default'] },
  transform: { target: 'es2022' },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    // Files stay separate, so that bundlers can drop what a page does not use.
    preserveModules: true,
    preserveModulesRoot: '.',
    // The maps are not published: the code is close to its source, and they would double the package.
    sourcemap: 'hidden',
    comments: { jsdoc: false },
  },
});
