import { applyEdits, parse } from 'jsonc-parser';
import type { Hex } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import type { KnownAccountsConfig } from '../../core/domain/known-accounts-config.ts';
import type { KnownCodeList } from '../../core/node/account-codes/seen-account.ts';
import { accountsSchema } from '../config/chain-part-schemas.ts';
import { findConfigFile, readConfigFile } from '../config/load-config.ts';
import { editsOf, replaceConfigFile } from '../write-files.ts';

const knownCodeLists = [
  'implementations',
  'proxies',
  'factories',
  'helpers',
] as const satisfies readonly KnownCodeList[];

/** An entry of a list, as written in the file. */
type KnownCodeEntry = { readonly codeHash: Hex; readonly name?: string; readonly version?: string };
export type ListedCode = { readonly list: KnownCodeList; readonly entry: KnownCodeEntry };

/** The code that the operator has added on a chain. */
export function listedCode(accounts: KnownAccountsConfig | undefined): readonly ListedCode[] {
  return knownCodeLists.flatMap((list) => (accounts?.[list] ?? []).map((entry) => ({ list, entry })));
}

/** Adds entries to a chain of the configuration file, keeping its comments. */
export function writeKnownCode(flags: Flags, chainId: number, added: readonly ListedCode[]): void {
  changeFile(flags, chainId, (text, accounts, chainIndex) => {
    const counts = new Map(knownCodeLists.map((list) => [list, accounts[list]?.length ?? 0]));
    return added.reduce((changed, { list, entry }) => {
      const index = counts.get(list) ?? 0;
      counts.set(list, index + 1);
      return applyEdits(changed, editsOf(changed, ['chains', chainIndex, 'accounts', list, index], entry));
    }, text);
  });
}

/** Removes every entry with a hash from a chain of the configuration file. */
export function removeKnownCode(flags: Flags, chainId: number, codeHash: Hex): void {
  changeFile(flags, chainId, (text, accounts, chainIndex) =>
    knownCodeLists.reduce((changed, list) => {
      // Last one first, so that the other indexes stay valid.
      const indexes = (accounts[list] ?? []).flatMap((entry, index) => (entry.codeHash === codeHash ? [index] : []));
      return indexes
        .reverse()
        .reduce(
          (shorter, index) =>
            applyEdits(shorter, editsOf(shorter, ['chains', chainIndex, 'accounts', list, index], undefined)),
          changed,
        );
    }, text),
  );
}

function changeFile(
  flags: Flags,
  chainId: number,
  change: (text: string, accounts: KnownAccountsConfig, chainIndex: number) => string,
): void {
  const file = findConfigFile(flags);
  if (file === undefined) throw mistake('There is no configuration file to change. Name it with --config.');
  const { text, content } = readConfigFile(file);
  // The configuration was already read and valid.
  const { chains = [] } = content as { chains?: readonly { chainId?: number; accounts?: KnownAccountsConfig }[] };
  // By its id: someone may have added a chain while the operator was asked.
  const chainIndex = chains.findIndex((chain) => chain.chainId === chainId);
  if (chainIndex < 0) throw mistake(`${file} has no chain ${chainId} any more.`);
  const changed = change(text, chains[chainIndex]?.accounts ?? {}, chainIndex);
  checkAccounts(changed, chainIndex);
  replaceConfigFile(
    file,
    changed,
    `${file} cannot be written. Remove ${file}.new if an interrupted command left it, or change the file by hand.`,
  );
}

/** Throws if a list has become too long. */
function checkAccounts(text: string, chainIndex: number): void {
  const { chains } = parse(text, [], { allowTrailingComma: true }) as { chains: readonly { accounts?: unknown }[] };
  const [issue] = accountsSchema.safeParse(chains[chainIndex]?.accounts ?? {}).error?.issues ?? [];
  if (issue !== undefined) throw mistake(`accounts.${issue.path.join('.')} would not be valid: ${issue.message}.`);
}
