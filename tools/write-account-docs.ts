import { writeFileSync } from 'node:fs';
import { entryPointVersions } from '../core/domain/entry-point-version.ts';
import { type CatalogueEntry, catalogue } from '../core/evm/account-codes/catalogue.ts';
import { accountDecoders } from '../core/evm/account-decoders/find-decoder.ts';
import { paymasterContractFamilies } from '../core/evm/paymaster-contracts/families.ts';
import { writeBetweenMarkers } from './write-between-markers.ts';

/** A kind in the table of kinds: which of its contracts ran as an account in a test, and which were only recognized. */
function kindRow({ kind, entryPoints, codes, tried, notKnown = [] }: CatalogueEntry): string {
  const running = codes.filter(({ role }) => role === 'implementation' || role === 'delegate');
  const others = [...new Set(running.map(({ contract }) => contract))].filter((name) => !tried.includes(name));
  const cells = [kind, entryPoints.join(', '), tried.join(', '), others.join(', '), notKnown.join('; ')];
  return `| ${cells.join(' | ')} |`;
}

/** The families of paymaster contracts by EntryPoint. */
function familyTable(): string {
  const families = [...paymasterContractFamilies.values()];
  const rows = entryPointVersions.map((version) => {
    const names = families.filter((family) => family.entryPointVersion === version).map(({ name }) => `\`${name}\``);
    return `| ${version} | ${names.join(', ')} |`;
  });
  return ['| EntryPoint | families |', '| --- | --- |', ...rows, ''].join('\n');
}

/** The accounts whose calls are decoded. Versions that work with the same EntryPoints share a row. */
function decoderTable(): string {
  const versions = new Map<string, string[]>();
  for (const { name, version, entryPointVersions: entryPoints } of accountDecoders) {
    const row = `| \`${name}\` | … | ${entryPoints.join(', ')} |`;
    versions.set(row, [...(versions.get(row) ?? []), version]);
  }
  const rows = [...versions].map(([row, list]) => row.replace('…', list.sort().join(', ')));
  return ['| `name` | `version` | EntryPoint |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

/** A paragraph with the known accounts of a maker, for a reader who comes from there. */
function knownOf(kinds: RegExp): string {
  const known = catalogue
    .filter(({ kind }) => kinds.test(kind))
    .map(({ kind, entryPoints }) => `${kind} (EntryPoint ${entryPoints.join(' and ')})`);
  return `[Known accounts](reference/known-accounts.md), which need no setting: ${known.join(', ')}.\n`;
}

const compatibility = 'docs/reference/compatibility.md';
writeBetweenMarkers(compatibility, 'families', 'core/evm/paymaster-contracts/families.ts', familyTable());
writeBetweenMarkers(compatibility, 'decoders', 'core/evm/account-decoders/find-decoder.ts', decoderTable());
writeBetweenMarkers(
  'docs/reference/known-accounts.md',
  'known accounts',
  'core/evm/account-codes/catalogue.ts',
  [
    '| kind | EntryPoint | ran in a test with published code | only recognized | not known |',
    '| --- | --- | --- | --- | --- |',
    ...catalogue.map(kindRow),
    '',
  ].join('\n'),
);
writeFileSync('docs/reference/known-accounts.json', `${JSON.stringify(catalogue, undefined, 1)}\n`);
const migrate = 'docs/migrate.md';
for (const [maker, kinds] of [
  ['Alchemy', /^(MultiOwner)?LightAccount|^Modular Account/],
  ['ZeroDev', /^Kernel/],
  ['Biconomy', /^(Biconomy|Nexus)/],
] as const) {
  writeBetweenMarkers(migrate, `accounts of ${maker}`, 'core/evm/account-codes/catalogue.ts', knownOf(kinds));
}
