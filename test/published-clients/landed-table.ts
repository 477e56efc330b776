import { formatEther, formatUnits, type Hex } from 'viem';
import type { DevnetToken } from '../../clients/cli/dev/devnet/devnet.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';

/** Who asked for what, and the operation that landed with it. Wei, and base units of the token. */
export type LandedRow = {
  readonly client: string;
  readonly entryPoint: EntryPointVersion;
  readonly mode: string;
  /** How the client was used. */
  readonly way: string;
  readonly gasCost: bigint;
  readonly tokens?: { readonly token: DevnetToken; readonly paid: bigint; readonly quoted: bigint };
  readonly transactionHash: Hex;
};

const heading = ['client', 'EntryPoint', 'mode', 'way', 'gas cost, ETH', 'paid of quoted', 'landed in'];

/** The rows as text with aligned columns. */
export function renderLanded(rows: readonly LandedRow[]): string {
  const lines = [heading, ...rows.map(cells)];
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return padded.map((line) => line.trimEnd()).join('\n');
}

function cells({ client, entryPoint, mode, way, gasCost, tokens, transactionHash }: LandedRow): string[] {
  const amount = (value: bigint, decimals: number) => formatUnits(value, decimals);
  const payment =
    tokens === undefined
      ? '-'
      : `${amount(tokens.paid, tokens.token.decimals)} of ${amount(tokens.quoted, tokens.token.decimals)} ${tokens.token.symbol}`;
  return [client, entryPoint, mode, way, formatEther(gasCost), payment, `${transactionHash.slice(0, 10)}…`];
}
