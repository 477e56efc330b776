import { applyEdits } from 'jsonc-parser';
import type { Address } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import type { ChainSection } from '../config/chain-schema.ts';
import { findConfigFile } from '../config/load-config.ts';
import { readConfigFile } from '../config/read-config-file.ts';
import { editsOf, replaceConfigFile } from '../config/replace-config-file.ts';

/** An entry of `paymasterContracts` in the configuration. */
export type ConfigEntry = {
  readonly version: string;
  readonly family: string;
  readonly address: Address;
  readonly treasury: Address;
};

/** The first major version above those of the chain's contracts. */
export function nextVersion({ paymasterContracts }: ChainSection): string {
  const majors = paymasterContracts.map(({ version }) => Number(version.split('.')[0]));
  return `${Math.max(0, ...majors) + 1}.0.0`;
}

/**
 * Adds a paymaster contract to a chain of the configuration file, keeping its comments. False if the contract is already
 * listed. The file is replaced atomically, keeping its permissions.
 */
export function writeEntry(flags: Flags, chainIndex: number, entry: ConfigEntry): boolean {
  const file = findConfigFile(flags);
  if (file === undefined) throw mistake('There is no configuration file to write into. Name it with --config.');
  const { text, content } = readConfigFile(file);
  const entries = entriesOf(content, chainIndex);
  if (entries.some((one) => one.address?.toLowerCase() === entry.address.toLowerCase())) return false;
  const edits = editsOf(text, ['chains', chainIndex, 'paymasterContracts', entries.length], entry);
  replaceConfigFile(
    file,
    applyEdits(text, edits),
    `The contract exists, but ${file} cannot be written. Add the lines by hand.`,
  );
  return true;
}

/** The configuration was already read and valid. */
function entriesOf(content: unknown, chainIndex: number): readonly { readonly address?: string }[] {
  const { chains } = content as { chains: readonly { paymasterContracts: readonly { address?: string }[] }[] };
  return chains[chainIndex]?.paymasterContracts ?? [];
}
