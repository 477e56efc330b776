import { entryPointVersions } from '../core/domain/entry-point-version.ts';
import {
  type CatalogueEntry,
  type CodeSource,
  catalogue,
  type KnownCode,
} from '../core/evm/account-codes/catalogue.ts';
import { accountDecoders } from '../core/evm/account-decoders/find-decoder.ts';
import { paymasterContractFamilies } from '../core/evm/paymaster-contracts/families.ts';
import { writeBetweenMarkers } from './write-between-markers.ts';

/** Which contracts of a kind ran as an account in a test; empty for a kind without a contract that does. */
function triedText({ codes, tried, notKnown = [] }: CatalogueEntry): string {
  const running = codes.filter(({ role }) => role === 'implementation' || role === 'delegate');
  const names = [...new Set(running.map(({ contract }) => contract))];
  const others = names.filter((name) => !tried.includes(name));
  const ofTried = tried.length === 0 ? '' : ` Tried with published code: ${tried.join(', ')}.`;
  const ofOthers = others.length === 0 ? '' : ` Only recognized: ${others.join(', ')}.`;
  return [ofTried, ofOthers, ...notKnown.map((one) => ` Not known: ${one}.`)].join('');
}

/** A kind's contracts as a section with a table. */
function section(entry: CatalogueEntry): string {
  const { kind, entryPoints, codes } = entry;
  const rows = codes.map(
    (code) => `| ${code.role} | ${code.contract} | ${markText(code)} | ${sourceText(code.source)} |`,
  );
  const heading = [`### ${kind}`, '', `EntryPoint ${entryPoints.join(', ')}.${triedText(entry)}`, ''];
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
  return (
    `These are [known accounts](reference/known-accounts.md), so nothing has to be configured for them: ${known.join(', ')}. ` +
    'Others have to be added by the operator.\n'
  );
}

const compatibility = 'docs/reference/compatibility.md';
writeBetweenMarkers(compatibility, 'families', 'core/evm/paymaster-contracts/families.ts', familyTable());
writeBetweenMarkers(compatibility, 'decoders', 'core/evm/account-decoders/find-decoder.ts', decoderTable());
writeBetweenMarkers(
  'docs/reference/known-accounts.md',
  'known accounts',
  'core/evm/account-codes/catalogue.ts',
  catalogue.map(section).join('\n'),
);
const migrate = 'docs/migrate.md';
for (const [maker, kinds] of [
  ['Alchemy', /^(MultiOwner)?LightAccount|^Modular Account/],
  ['ZeroDev', /^Kernel/],
  ['Biconomy', /^(Biconomy|Nexus)/],
] as const) {
  writeBetweenMarkers(migrate, `accounts of ${maker}`, 'core/evm/account-codes/catalogue.ts', knownOf(kinds));
}
