#!/usr/bin/env node
// Readable by old versions of Node.js, so that they print a sentence instead of a syntax error: nothing may be imported
// before.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`tollfree: Node 20.19 or newer is needed, this is ${process.versions.node}.\n`);
  process.exit(1);
}

const { main } = await import('./main.ts');
await main(process.argv);

// Makes this a module, which may use top-level await.
export {};
