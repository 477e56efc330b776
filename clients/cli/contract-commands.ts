import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ContractChange, ManagementClient } from '@tollfree/sdk/management';
import { z } from 'zod';
import { openPaymaster } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import { type Flags, requiredFlag, textFlag } from './terminal/flags.ts';
import { printAnswer, printHint, printLine, printRows } from './terminal/print-answer.ts';
import { readJsonFile } from './terminal/read-file.ts';

export async function registerSmartContract(name: string, flags: Flags): Promise<void> {
  const file = textFlag(flags, 'abi');
  if ((file === undefined) === (flags.fromExplorer !== true)) throw mistake('Give either --abi or --from-explorer.');
  const given = file === undefined ? undefined : readAbiFile(file);
  const address = requiredFlag(flags, 'address');
  const whitelistedMethods = methodsOf(flags);
  if (given !== undefined) checkMethods(whitelistedMethods, methodNamesOf(given));
  const { client } = await openPaymaster(flags);
  const abi = given ?? (await fetchAbi(client, address));
  const {
    brokenRules,
    callsBack = [],
    hasNoCode,
  } = await client.registerSmartContract({
    name,
    address,
    abi,
    whitelistedMethods,
  });
  printAnswer(
    flags,
    { name, address, whitelistedMethods, brokenRules, callsBack, ...omitAbsent({ hasNoCode }) },
    () => {
      printLine(`Registered the contract ${name}. Sponsored methods: ${methodsText(whitelistedMethods)}`);
      if (hasNoCode === true) {
        printHint(`The paymaster's chain has no contract at ${address}. Check the address, or deploy it.`);
      }
      hintAtBroken(brokenRules);
      hintAtCallsBack(callsBack);
    },
  );
}

async function fetchAbi(client: ManagementClient, address: string): Promise<string> {
  const { abi, implementation } = await client.fetchContractAbi({ address });
  if (implementation !== undefined) {
    printHint(`The contract is a proxy. The methods are those of its current implementation.`);
  }
  return abi;
}

/** `tollfree contract list`; only the JSON output contains the ABIs. */
export async function listSmartContracts(flags: Flags): Promise<void> {
  const contracts = await (await openPaymaster(flags)).client.listSmartContracts();
  printAnswer(flags, contracts, () =>
    printRows(
      contracts.map(({ name, address, whitelistedMethods, methods }) => ({
        address,
        name,
        sponsored: methodsText(whitelistedMethods),
        methods: methodsText(methods),
      })),
      'This paymaster has no contracts, so it sponsors nothing.',
    ),
  );
}

/** `tollfree contract update`: replaces the whitelist. */
export async function updateSmartContract(address: string, flags: Flags): Promise<void> {
  const whitelistedMethods = methodsOf(flags);
  const { client } = await openPaymaster(flags);
  const wanted = address.toLowerCase();
  const before = (await client.listSmartContracts()).find((one) => one.address.toLowerCase() === wanted);
  if (before !== undefined) checkMethods(whitelistedMethods, before.methods);
  const contract = await client.updateSmartContract({ address, whitelistedMethods, etag: before?.etag });
  printAnswer(flags, contract, () => {
    printLine(`Updated the contract ${contract.name}. Sponsored methods: ${methodsText(contract.whitelistedMethods)}`);
    hintAtCallsBack(contract.callsBack ?? []);
  });
}

export async function deleteSmartContract(address: string, flags: Flags): Promise<void> {
  const { brokenRules } = await (await openPaymaster(flags)).client.deleteSmartContract({ address });
  printAnswer(flags, { address, brokenRules }, () => {
    printLine(`Deleted the contract ${address}.`);
    hintAtBroken(brokenRules);
  });
}

/** The change was made, but calls that still should work may be refused now. */
function hintAtBroken(brokenRules: ContractChange['brokenRules']): void {
  if (brokenRules.length === 0) return;
  printHint('The policy has rules that no longer fit, so calls to their contracts are refused:');
  for (const rule of brokenRules) printHint(`  ${rule}`);
}

/** Nothing is refused for it, but a cap on the gas is advised. */
function hintAtCallsBack(callsBack: readonly string[]): void {
  if (callsBack.length === 0) return;
  printHint('Code of the caller’s choice could use up the gas of operations with these methods:');
  for (const method of callsBack) printHint(`  ${method}`);
  printHint('Set methodGas in the policy. `tollfree policy preview` shows what operations need.');
}

/** Most methods of an ABI that a mistake lists. */
const maxListed = 30;

/** Ends the command if a method's name is not in the ABI, with the names that are. The service checks the types of arguments. */
function checkMethods(wanted: readonly string[], known: readonly string[]): void {
  const names = new Set(known.map(nameOf));
  const missing = wanted.filter((method) => !names.has(nameOf(method)));
  if (missing.length === 0) return;
  const listed = [...names].slice(0, maxListed).join(', ') || 'none';
  throw mistake(
    `The ABI has no method ${missing.join(', ')} that changes something. It has: ${listed}${names.size > maxListed ? ', …' : ''}.`,
  );
}

/** The name in a signature like `transfer(address,uint256)`; of a name, itself. */
function nameOf(method: string): string {
  return method.replace(/\(.*$/s, '');
}

/** Compilers before 0.6 write `constant` instead of `stateMutability`. */
const methodSchema = z.looseObject({
  type: z.literal('function').optional(),
  name: z.string(),
  stateMutability: z.enum(['nonpayable', 'payable']).optional(),
  constant: z.literal(false).optional(),
});

/** The methods that change something, in an ABI as JSON text. */
function methodNamesOf(abi: string): string[] {
  const items: readonly unknown[] = JSON.parse(abi);
  return items.flatMap((item) => methodSchema.safeParse(item).data?.name ?? []);
}

/** A `--whitelist` without a method, like no `--whitelist`, is an empty whitelist. */
function methodsOf({ whitelist }: Flags): string[] {
  return Array.isArray(whitelist) ? whitelist.filter((method) => typeof method === 'string') : [];
}

function methodsText(methods: readonly string[]): string {
  return methods.length === 0 ? 'none' : methods.join(' ');
}

/**
 * The ABI in a file, as JSON text: the file's array, or the `abi` of a compiler's build artifact. The service checks whether
 * it is an ABI.
 */
function readAbiFile(file: string): string {
  const content = readJsonFile(file, 'The ABI file');
  if (Array.isArray(content)) return JSON.stringify(content);
  if (typeof content === 'object' && content !== null && 'abi' in content && Array.isArray(content.abi)) {
    return JSON.stringify(content.abi);
  }
  throw mistake(`The ABI file ${file} holds neither an ABI (a JSON array) nor a build artifact with one in \`abi\`.`);
}
