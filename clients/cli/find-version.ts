import type { ManagementClient } from '@tollfree/sdk/management';
import { mistake } from './terminal/cli-error.ts';

/** Where the caller names what is missing: flags of a command, or fields of a tool. */
type Wanted = { readonly entryPointField: string; readonly versionField: string; readonly listing: string };

/** The version of the operator's only contract on a chain for an EntryPoint. Throws a mistake that says what to name otherwise. */
export async function findVersion(
  client: Pick<ManagementClient, 'listChains'>,
  { chainId, entryPoint }: { readonly chainId: number; readonly entryPoint: string | undefined },
  { entryPointField, versionField, listing }: Wanted,
): Promise<string> {
  const chain = (await client.listChains()).find((each) => each.chainId === chainId);
  if (chain === undefined) throw mistake(`The service does not serve chain ${chainId}. \`${listing}\` lists them.`);
  const known = [...new Set(chain.contracts.map(({ entryPointVersion }) => entryPointVersion))].join(', ');
  if (entryPoint === undefined) {
    throw mistake(`Name the EntryPoint of your accounts with ${entryPointField}. Chain ${chainId} has ${known}.`);
  }
  const fitting = chain.contracts.filter(({ entryPointVersion }) => entryPointVersion === entryPoint);
  const [only, ...others] = fitting;
  if (only === undefined) {
    throw mistake(`Chain ${chainId} has contracts for the EntryPoints ${known}, not ${entryPoint}.`);
  }
  if (others.length === 0) return only.version;
  const versions = fitting.map(({ version, family }) => `${version} (${family})`);
  throw mistake(
    `Chain ${chainId} has several contracts for it. Name one with ${versionField}: ${versions.join(', ')}.`,
  );
}
