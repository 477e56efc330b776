import { relative } from 'node:path';
import { styleText } from 'node:util';
import { formatEther, formatUnits } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import {
  type Demonstration,
  incrementCall,
  type RelayDemonstration,
  type Shown,
  sponsoredContext,
} from './demo-operations.ts';
import { nativePriceUsd } from './dev-core-config.ts';
import { type DevFile, type DevPaymaster, defaultEntryPointVersion } from './dev-file.ts';
import type { Devnet } from './devnet/devnet.ts';
import { rpcBody } from './rpc-call.ts';
import { buildUserOperation } from './user-operation/build-user-operation.ts';
import { toRpcUserOperation } from './user-operation/dev-user-operation.ts';

/** Whether the terminal supports colors, and the user has not disabled them. */
function hasColours(): boolean {
  return process.stdout.isTTY === true && process.stdout.hasColors();
}

function styled(style: Parameters<typeof styleText>[0], text: string): string {
  return hasColours() ? styleText(style, text) : text;
}

/** The first link for a developer to open. */
export function describeDashboard(signInLink: string): string {
  return `\n${styled('bold', 'Dashboard')}  ${styled('cyan', signInLink)}\n           Opens signed in. The link works once, within five minutes.\n`;
}

/** A row per EntryPoint: who paid what for the two operations that were sent. */
export function describeDemonstrations(demonstrations: readonly Demonstration[], usual: EntryPointVersion): string {
  const head = ['EntryPoint', 'Sponsored: the gas tank paid', 'In a token: the user paid'];
  const rows = demonstrations.map(({ paymaster, sponsored, paid }) => [
    nameOf(paymaster, usual),
    cell(sponsored, ({ cost }) => usd(cost)),
    cell(paid, ({ amount, most, token }) => `${cents(amount, token)} ${token.symbol}, at most ${cents(most, token)}`),
  ]);
  return table(head, rows) + madeUpPrice;
}

const madeUpPrice = `USD at a made-up price: 1 ETH = $${Number(nativePriceUsd).toLocaleString('en-US')}.\n`;

function whole(gas: bigint): string {
  return gas.toLocaleString('en-US');
}

/** A relayed operation's gas, compared with the same operation through the paymaster contract. */
export function describeRelay(relayed: RelayDemonstration, contractGas?: bigint): string {
  if ('refusal' in relayed) return `Relayed without a paymaster contract: refused: ${relayed.refusal}\n`;
  const { gas, cost } = relayed;
  const relay = `Relayed without a paymaster contract (EntryPoint ${defaultEntryPointVersion})`;
  return `${relay}: the gas tank paid ${usd(cost)} for ${whole(gas)} gas${comparedWith(contractGas, gas)}\n`;
}

function comparedWith(contractGas: bigint | undefined, gas: bigint): string {
  if (contractGas === undefined) return '';
  const less = Number(((contractGas - gas) * 1_000n) / contractGas) / 10;
  return `, ${less} % less than the ${whole(contractGas)} with the contract`;
}

/** The tanks, if no operations were sent because the chain is from an earlier run. */
export function describeTanks(
  tanks: readonly { paymaster: DevPaymaster; available: bigint; settled: bigint }[],
  usual: EntryPointVersion,
): string {
  const head = ['EntryPoint', 'Available in the tank', 'Spent'];
  const rows = tanks.map(({ paymaster, available, settled }) => [
    nameOf(paymaster, usual),
    `${Number(formatEther(available)).toFixed(4)} ETH`,
    usd(settled),
  ]);
  return table(head, rows);
}

/** What to do next, in a few lines. */
export function describeNext(dev: DevFile, parts: { envFile: string; tryCommand: string }): string {
  const [paymaster] = dev.paymasters;
  return [
    '',
    `Try it. This asks for a sponsorship on EntryPoint ${paymaster?.entryPointVersion ?? ''}; expect "paymasterAndData" in the answer:`,
    '',
    `  ${styled('cyan', parts.tryCommand)}`,
    '',
    `Run a program: npm run example    Its settings: ${parts.envFile}`,
    'Addresses, keys and transactions: --verbose    Start over: --fresh    Stop: Ctrl-C',
    '',
  ].join('\n');
}

/** All addresses and transactions: what `--verbose` adds. */
export function describeAddresses(
  dev: DevFile,
  parts: { devFile: string; logFile: string; demonstrations: readonly Demonstration[] },
): string {
  const paymasters = dev.paymasters.map(
    ({ entryPointVersion, version, rpcUrl }) => `  EntryPoint ${entryPointVersion}  version ${version}  ${rpcUrl}`,
  );
  const sent = parts.demonstrations.flatMap(({ paymaster, sponsored, paid }) => [
    `  EntryPoint ${paymaster.entryPointVersion}  sponsored  ${transactionOf(sponsored)}`,
    `  EntryPoint ${paymaster.entryPointVersion}  in a token ${transactionOf(paid)}`,
  ]);
  return [
    '',
    `  HTTP       ${dev.gatewayUrl}`,
    `  admin      ${dev.adminUrl} (/livez, /readyz, /metrics)`,
    `  gRPC       ${dev.grpcAddress} (token in ${dev.grpcTokenFile})`,
    `  bundler    ${dev.bundlerUrl} (for development only)`,
    `  chain      ${dev.chain.rpcUrl} (chain id ${dev.chain.chainId})`,
    `  authToken  ${dev.authToken}`,
    `  all of it  ${parts.devFile}`,
    `  log        ${parts.logFile}`,
    '',
    'Paymasters:',
    ...paymasters,
    ...(sent.length === 0 ? [] : ['', 'Operations:', ...sent]),
    '',
  ].join('\n');
}

function transactionOf(shown: Shown<object>): string {
  return 'refusal' in shown ? `refused: ${shown.refusal}` : `transaction ${shown.transactionHash}`;
}

function nameOf({ entryPointVersion }: DevPaymaster, usual: EntryPointVersion): string {
  return entryPointVersion === usual ? `${entryPointVersion} (default)` : entryPointVersion;
}

function cell<Cost extends object>(shown: Shown<Cost>, describe: (cost: Cost) => string): string {
  return 'refusal' in shown ? `refused: ${shown.refusal}` : describe(shown);
}

/** An amount of wei in USD, at the made-up price of the development chain. */
function usd(wei: bigint): string {
  return `$${(Number(formatEther(wei)) * Number(nativePriceUsd)).toFixed(2)}`;
}

function cents(amount: bigint, { decimals }: { readonly decimals: number }): string {
  return Number(formatUnits(amount, decimals)).toFixed(2);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)));
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [styled('bold', line(head)), ...rows.map(line)].map((text) => `${text}\n`).join('');
}

/** The body of a sponsorship request for an account that does not exist yet, so that it can be sent repeatedly. */
export async function tryRequest(devnet: Devnet, { entryPointVersion }: DevPaymaster): Promise<string> {
  const owner = privateKeyToAddress(generatePrivateKey());
  const operation = await buildUserOperation(devnet, { version: entryPointVersion, owner }, [incrementCall(devnet)]);
  return rpcBody('pm_getFeeQuoteOrData', [toRpcUserOperation(operation), sponsoredContext]);
}

/** A command line that sends it, ready to paste into a shell in this folder. */
export function tryCommand({ rpcUrl }: DevPaymaster, requestFile: string): string {
  const near = relative(process.cwd(), requestFile);
  const file = near.startsWith('..') ? requestFile : near;
  return `curl -s ${rpcUrl} -H 'content-type: application/json' -d '@${file.replaceAll("'", "'\\''")}'`;
}
