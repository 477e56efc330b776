import { counted } from '@tollfree/contract/counted';
import {
  type OperatorChain,
  type OperatorContract,
  type OperatorStatus,
  OperatorStatusSchema,
} from '@tollfree/contract/operator';
import { formatEther } from 'viem';
import { readDevTarget } from '../clients/cli/read-dev-target.ts';
import { mistake, tryAgain } from '../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../clients/cli/terminal/flags.ts';
import { printAnswer, printForeignLine as printLine } from '../clients/cli/terminal/print-answer.ts';
import { withProgress } from '../clients/cli/terminal/with-progress.ts';
import { hasOwnConfig, loadConfig, namesService, withOwnConfig } from './config/load-config.ts';
import { type HostAndPort, parseHostAndPort } from './config/value-schemas.ts';
import { describeSignUp } from './doctor/machine/check-service.ts';
import { daysLeftText } from './tank/days-left-text.ts';

/** Longest wait for the answer, in milliseconds: the service asks its nodes for it. */
const timeoutMs = 20_000;

/** `tollfree status`: the status from the admin listener. Fails when something is wrong, or it does not answer. */
export async function showStatus(flags: Flags): Promise<void> {
  const url = adminUrl(flags);
  const status = await withProgress(`Asking ${url}`, () => askStatus(url));
  printAnswer(flags, status, () => printStatus(status));
  const { length } = status.problems;
  if (length > 0) throw mistake(`${counted(length, 'problem')}.`);
  if (!status.ready) throw mistake('The service is not ready.');
}

async function askStatus(url: URL): Promise<OperatorStatus> {
  const asked = fetch(new URL('status.json', url), { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  const response = await asked.catch((cause: unknown) => {
    throw tryAgain(`Nothing responds at ${url}. Is the service running, and is that gateway.adminListen?`, cause);
  });
  const body: unknown = await response.json().catch(() => undefined);
  const status = OperatorStatusSchema.safeParse(body);
  if (response.ok && status.success) return status.data;
  throw tryAgain(`The program at ${url} is not an admin listener of this version of tollfree.`);
}

/** Prints the status overview, problems first. */
function printStatus(status: OperatorStatus): void {
  const { ready, parts, problems, builds, chains, database, notificationsPending, signUp } = status;
  printLine(ready ? 'The service is ready.' : 'The service is NOT READY.');
  for (const { what, remedy } of problems) {
    printLine(`WRONG  ${what}`);
    printLine(`       ${remedy}`);
  }
  for (const { process, version, commit, schema } of builds) {
    printLine(`${process}: version ${version}, commit ${commit}, schema ${schema}`);
  }
  for (const chain of chains) printChain(chain);
  const ledger = parts.find(({ part }) => part === 'ledger');
  if (ledger !== undefined) printLine(`Ledger: ${ledger.detail}`);
  const { bytes, freeBytes } = database;
  if (bytes !== undefined) {
    const free = freeBytes === undefined ? '' : `, ${megabytes(freeBytes)} free on its disk`;
    printLine(`Database: ${megabytes(bytes)}${free}`);
  }
  if (signUp !== undefined) printLine(describeSignUp(signUp));
  if (notificationsPending !== undefined) printLine(`Notifications to be delivered: ${notificationsPending}`);
}

function printChain({ chainId, name, coinUsd, contracts, signers, nodes, bundler, tanks }: OperatorChain): void {
  printLine(`${name} (${chainId})${coinUsd === undefined ? '' : `, coin at ${coinUsd} USD`}`);
  for (const contract of contracts) printLine(`  ${describeContract(contract)}`);
  for (const { signer, contract, state, places } of signers) {
    const where = places.map(({ kind, awaySince }) =>
      awaySince === undefined ? kind : `${kind}, which does not sign`,
    );
    printLine(`  key ${[`${signer} for ${contract}: ${state}`, ...where].join(', ')}`);
  }
  for (const { node, ...asked } of nodes) printLine(`  node ${node}: ${describeAsked(asked)}`);
  if (bundler !== undefined) printLine(`  bundler: ${describeAsked(bundler)}`);
  for (const { wallet, availableWei, daysLeft } of tanks) {
    const lasts = daysLeft === undefined ? '' : `, lasts ${daysLeftText(daysLeft)}`;
    printLine(`  tank of ${wallet}: ${(availableWei / 1e18).toFixed(6)} ether available${lasts}`);
  }
}

function describeContract({ version, family, address, ...ledger }: OperatorContract): string {
  const { depositWei, heldWei, differenceWei, atBlock } = ledger;
  const facts = [
    depositWei === undefined ? undefined : `deposit ${formatEther(BigInt(depositWei))} ether`,
    heldWei === undefined ? undefined : `${formatEther(BigInt(heldWei))} ether held`,
  ];
  const line = [`${version} ${family} ${address}`, ...facts.filter((fact) => fact !== undefined)].join(', ');
  return atBlock === undefined ? line : `${line}. ${describeLedger(differenceWei)} up to block ${atBlock}.`;
}

function describeLedger(differenceWei: string | undefined): string {
  if (differenceWei === undefined) return 'The chain could not be read to compare it with the ledger';
  const difference = BigInt(differenceWei);
  if (difference === 0n) return 'The ledger agrees with the chain';
  return `The chain has ${difference > 0n ? `${difference} wei more` : `${-difference} wei less`} than the ledger`;
}

function describeAsked({ answered, failed, averageMs }: NonNullable<OperatorChain['bundler']>): string {
  const average = averageMs === undefined ? '' : `, ${averageMs} ms on average`;
  return `${counted(answered, 'request')} answered, ${failed} failed${average}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Wildcard addresses are asked on this machine. */
const everywhere: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/**
 * The admin listener's URL: from `--admin`, else `gateway.adminListen` of the configuration, else that of the `tollfree dev`
 * of the working directory.
 */
export function adminUrl(flags: Flags): URL {
  const given = textFlag(flags, 'admin');
  if (given === undefined) {
    const dev = namesService(flags) || hasOwnConfig(flags) ? undefined : readDevTarget();
    return dev === undefined ? toUrl(loadConfig(withOwnConfig(flags)).gateway.adminListen) : readUrl(dev.adminUrl);
  }
  const address = parseHostAndPort(given);
  return address === undefined ? readUrl(given) : toUrl(address);
}

function toUrl({ host, port }: HostAndPort): URL {
  if (port === 0) {
    throw mistake('The admin listener has port 0, any free port. Name it with --admin; the log shows the address.');
  }
  const name = everywhere.get(host) ?? host;
  return new URL(`http://${name.includes(':') ? `[${name}]` : name}:${port}/`);
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw mistake('--admin must be host:port, like 127.0.0.1:9464, or an http or https URL without a user name.');
  }
  url.search = '';
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}
