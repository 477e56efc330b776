import type { OperatorChain, OperatorContract, OperatorStatus } from '@tollfree/contract/operator';
import { formatEther } from 'viem';
import { describeSignUp } from '../../clients/cli/describe-sign-up.ts';
import { printForeignLine as printLine } from '../../clients/cli/terminal/print-foreign-line.ts';

/** Prints the status overview, problems first. */
export function printStatus(status: OperatorStatus): void {
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
  const books = parts.find(({ part }) => part === 'ledger');
  if (books !== undefined) printLine(`Ledger: ${books.detail}`);
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
    const lasts = daysLeft === undefined ? '' : `, lasts ${daysLeft.toFixed(1)} days`;
    printLine(`  tank of ${wallet}: ${(availableWei / 1e18).toFixed(6)} ether available${lasts}`);
  }
}

function describeContract({ version, family, address, ...books }: OperatorContract): string {
  const { depositWei, heldWei, differenceWei, atBlock } = books;
  const facts = [
    depositWei === undefined ? undefined : `deposit ${formatEther(BigInt(depositWei))} ether`,
    heldWei === undefined ? undefined : `${formatEther(BigInt(heldWei))} ether held`,
    differenceWei === undefined
      ? undefined
      : `ledger ${differenceWei === '0' ? 'agree' : `differ by ${differenceWei} wei`}`,
    atBlock === undefined ? undefined : `up to block ${atBlock}`,
  ];
  return [`${version} ${family} ${address}`, ...facts.filter((fact) => fact !== undefined)].join(', ');
}

function describeAsked({ answered, failed, averageMs }: NonNullable<OperatorChain['bundler']>): string {
  const average = averageMs === undefined ? '' : `, ${averageMs} ms on average`;
  return `${answered} requests answered, ${failed} failed${average}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
