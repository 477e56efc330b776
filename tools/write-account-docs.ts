import { readFileSync, writeFileSync } from 'node:fs';
import {
  type CatalogueEntry,
  type CodeSource,
  catalogue,
  type KnownCode,
} from '../core/evm/account-codes/catalogue.ts';

const page = 'docs/reference/known-accounts.md';
const begin = '<!-- known accounts: written by `npm run generate` from core/evm/account-codes/catalogue.ts -->\n';
const end = '<!-- end of known accounts -->';

/** A kind's contracts as a section with a table. */
function section({ kind, entryPoints, codes }: CatalogueEntry): string {
  const rows = codes.map(
    (code) => `| ${code.role} | ${code.contract} | ${markText(code)} | ${sourceText(code.source)} |`,
  );
  const heading = [`### ${kind}`, '', `EntryPoint ${entryPoints.join(', ')}.`, ''];
  return [
    ...heading,
    '| role | contract | address or code hash | found in |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function markText({ mark }: KnownCode): string {
  if ('address' in mark) return `\`${mark.address}\``;
  const { codeHash, immutables = [] } = mark;
  return immutables.length === 0 ? `\`${codeHash}\`` : `\`${codeHash}\`, ${immutables.length} words masked`;
}

function sourceText(source: CodeSource): string {
  const where =
    'package' in source
      ? `\`${source.package}\` ${source.version}`
      : `[${source.repository}](https://github.com/${source.repository}/tree/${source.commit})`;
  return `${source.has}: ${where}, \`${source.file}\`${'compiler' in source ? ` (${source.compiler})` : ''}`;
}

/** Writes the tables of known code into `docs/reference/known-accounts.md`. */
const text = readFileSync(page, 'utf8');
const [before = '', rest = ''] = text.split(begin);
const after = rest.slice(rest.indexOf(end));
writeFileSync(page, `${before}${begin}\n${catalogue.map(section).join('\n')}\n${after}`);
