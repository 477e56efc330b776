import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

/** Who may import whom, first match wins. `from` and `to` are path prefixes; `types` allows `import type` only. */
type Rule = { readonly from: string; readonly to: readonly string[]; readonly types?: readonly string[] };

const rules: readonly Rule[] = [
  { from: 'contract/', to: ['contract/'] },
  { from: 'proto/', to: ['proto/'] },
  { from: 'core/grpc/', to: ['core/', 'proto/'] },
  // The bounds of the interface stand in one place, which is plain data.
  { from: 'core/', to: ['core/', 'contract/limits.ts'] },
  { from: 'gateway/', to: ['gateway/', 'contract/'], types: ['core/domain/'] },
  { from: 'clients/cli/', to: ['clients/', 'contract/', 'gateway/', 'core/', 'proto/'] },
  { from: 'clients/', to: ['clients/', 'contract/'] },
  { from: 'test/', to: [''] },
];

const importPattern = /^\s*(import|export)\s(type\s)?[^;'"]*?from\s+['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]/gm;

/** One line per import that the architecture does not allow. */
export function findForbiddenImports(root: string): readonly string[] {
  const folders = [...new Set(rules.map((rule) => rule.from.split('/')[0] ?? ''))];
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
      .flatMap((name) => checkFile(root, join(folder, name))),
  );
}

function checkFile(root: string, file: string): readonly string[] {
  const path = file.split(sep).join('/');
  const rule = rules.find(({ from }) => path.startsWith(from));
  if (rule === undefined) return [`${path} lies in no folder of the architecture`];
  const text = readFileSync(join(root, file), 'utf8');
  const forbidden: string[] = [];
  for (const match of text.matchAll(importPattern)) {
    const [, , typeOnly, statically, dynamically] = match;
    const target = normalize(join(dirname(file), statically ?? dynamically ?? ''))
      .split(sep)
      .join('/');
    const allowed = [...rule.to, ...(typeOnly === undefined ? [] : (rule.types ?? []))];
    if (!allowed.some((prefix) => target.startsWith(prefix))) forbidden.push(`${path} must not import ${target}`);
  }
  return forbidden;
}
