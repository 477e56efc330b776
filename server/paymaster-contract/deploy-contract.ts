import { applyEdits } from 'jsonc-parser';
import {
  type Address,
  concat,
  encodeDeployData,
  getAddress,
  getContractAddress,
  getCreate2Address,
  type Hex,
  isAddress,
  isAddressEqual,
} from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { deploymentProxy, zeroSalt } from '../../core/evm/deployment-proxy.ts';
import type { PaymasterContractFamily } from '../../core/evm/paymaster-contracts/family/family.ts';
import type { ChainSection } from '../config/chain-schema.ts';
import { findConfigFile, loadConfig, readConfigFile, withOwnConfig } from '../config/load-config.ts';
import { editsOf, replaceConfigFile } from '../write-files.ts';
import { carryOut, toAnswer } from './carry-out.ts';
import {
  askChain,
  type ChainAccess,
  checkSigner,
  configuredContracts,
  configuredSigners,
  entryPointOf,
  findFamily,
  openChain,
} from './configured-contract.ts';
import { type ContractTerms, type FamilyCode, familyCodes, readFamilyCode } from './family-code.ts';
import { whereItsCodeIs } from './family-facts.ts';
import { findPayer, type Payer } from './payer.ts';
import type { PlannedTransaction } from './planned-transaction.ts';

type NewContract = {
  readonly family: PaymasterContractFamily;
  readonly code: FamilyCode;
  readonly terms: ContractTerms;
  readonly entry: ConfigEntry;
};

/** `tollfree paymaster-contract deploy`. If the contract already exists, reports it and sends nothing. */
export async function deployContract(given: Flags): Promise<void> {
  const flags = withOwnConfig(given);
  const access = await openChain(loadConfig(flags), flags);
  const { entry, owner, outcome, written } = await makeContract(access, await findPayer(flags), flags);
  if (entry === undefined) return printAnswer(flags, outcome, () => undefined);
  printAnswer(flags, { ...outcome, address: entry.address, owner, config: entry, written }, () => {
    printLine(`address        ${entry.address}`);
    printLine(written ? '\nWrote into the configuration, under paymasterContracts:' : '\nFor paymasterContracts:');
    printLine(JSON.stringify(entry, null, 2));
  });
}

/** A deployment: `entry` is absent after a dry run; `written` is whether it was added to the configuration file. */
type Deployed = {
  readonly entry?: ConfigEntry;
  readonly owner: Address;
  readonly outcome: Readonly<Record<string, unknown>>;
  readonly written: boolean;
};

/** Deploys the contract of `--family` if it does not exist yet, and with `--write` adds it to the configuration. */
export async function makeContract(access: ChainAccess, payer: Payer, flags: Flags): Promise<Deployed> {
  const family = findFamily(textFlag(flags, 'family') ?? '');
  const code = familyCodes.get(family.name);
  if (code === undefined) throw mistake(`The code of ${family.name} is not on npm: ${whereItsCodeIs(family.name)}`);
  const terms = readTerms(access, family, code, { payer: payer.address, flags });
  const created = readFamilyCode(family.name, code);
  const { planned, address } = await planDeployment(access, { family, code, terms, created, payer: payer.address });
  const there = await findExisting(access, { family, code, terms, address });
  const entry = {
    version: textFlag(flags, 'paymasterVersion') ?? nextVersion(access.chain),
    family: family.name,
    address: there ?? address,
    tokenRecipient: addressFlag(flags, 'tokenRecipient') ?? terms.owner,
  };
  const contract = { family, code, terms, entry };
  const { owner } = terms;
  if (there !== undefined) {
    await checkNew(access, contract);
    printHint(`The contract already exists with the same code and signer. Nothing was sent.`);
    const outcome = { action: planned.action, sent: false, alreadyThere: true };
    return { entry, owner, outcome, written: writeIfWanted(access, entry, flags) };
  }
  const done = await carryOut(access, { planned, payer }, flags);
  const outcome = toAnswer(access.chain.chainId, done);
  if (done.receipt === undefined) return { owner, outcome: { ...outcome, address }, written: false };
  const made = { ...contract, entry: { ...entry, address: getAddress(done.receipt.contractAddress ?? address) } };
  await checkNew(access, made);
  return { entry: made.entry, owner, outcome, written: writeIfWanted(access, made.entry, flags) };
}

function writeIfWanted({ index }: ChainAccess, entry: ConfigEntry, flags: Flags): boolean {
  return flags.write === true && writeEntry(flags, index, entry);
}

function readTerms(
  { chain }: ChainAccess,
  family: PaymasterContractFamily,
  code: FamilyCode,
  { payer, flags }: { payer: Address; flags: Flags },
): ContractTerms {
  const owner = addressFlag(flags, 'owner') ?? payer;
  if (code.owner === 'deployer' && !isAddressEqual(owner, payer)) {
    throw mistake(`A contract of ${family.name} belongs to its deployer, so --owner can only be ${payer}.`);
  }
  const signer = addressFlag(flags, 'signer') ?? configuredSigners(chain)[0];
  if (signer === undefined) throw mistake('Name the accepted signer: --signer <address>.');
  return { entryPoint: entryPointOf(chain, family), owner, signer };
}

async function planDeployment(
  { chain, client }: ChainAccess,
  parts: {
    family: PaymasterContractFamily;
    code: FamilyCode;
    terms: ContractTerms;
    created: Hex;
    payer: Address;
  },
): Promise<{ planned: PlannedTransaction; address: Address }> {
  const { family, code, terms, created, payer } = parts;
  const named = code.argumentsFor(terms);
  const creationCode = encodeDeployData({
    abi: code.constructorAbi,
    bytecode: created,
    args: named.map(([, value]) => value),
  } as Parameters<typeof encodeDeployData>[0]);
  const nonce = await askChain(chain.chainId, client.getTransactionCount({ address: payer, blockTag: 'pending' }));
  const throughProxy = code.owner === 'argument';
  if (throughProxy && (await askChain(chain.chainId, client.getCode({ address: deploymentProxy }))) === undefined) {
    throw mistake(`Chain ${chain.chainId} has no deployment proxy at ${deploymentProxy}, which deploys the contract.`);
  }
  const address = throughProxy
    ? getCreate2Address({ from: deploymentProxy, salt: zeroSalt, bytecode: creationCode })
    : getContractAddress({ from: payer, nonce: BigInt(nonce) });
  const planned = {
    action: `deploy ${family.name}`,
    from: payer,
    ...(throughProxy ? { to: deploymentProxy } : {}),
    data: throughProxy ? concat([zeroSalt, creationCode]) : creationCode,
    value: 0n,
    facts: [
      ['address', address],
      ['owner', terms.owner],
      ['arguments', named.map(([name, value]) => `${name} ${[value].flat().join(' ')}`).join(', ')],
    ] as const,
    changes: `a new contract at ${address}, without deposit and stake`,
  };
  return { planned, address };
}

/**
 * The address of an existing contract. A CREATE2 address proves code and arguments; for other families it is a configured
 * contract that accepts the signer.
 */
async function findExisting(
  access: ChainAccess,
  { family, code, terms, address }: Omit<NewContract, 'entry'> & { address: Address },
): Promise<Address | undefined> {
  const { chain, client } = access;
  if (code.owner === 'argument') {
    return (await askChain(chain.chainId, client.getCode({ address }))) === undefined ? undefined : address;
  }
  for (const contract of configuredContracts(chain).filter((one) => one.family === family)) {
    if ((await checkSigner(access, contract, terms.signer)) === undefined) return contract.address;
  }
  return undefined;
}

/** Whether the service can sign for the new contract. */
async function checkNew(access: ChainAccess, { family, terms, entry }: NewContract): Promise<void> {
  const { version, address } = entry;
  const complaint = await checkSigner(access, { version, address, family, entryPoint: terms.entryPoint }, terms.signer);
  if (complaint !== undefined) throw mistake(`${complaint.text} ${complaint.remedy ?? ''}`.trim());
}

function addressFlag(flags: Flags, name: string): Address | undefined {
  const text = textFlag(flags, name);
  if (text === undefined || isAddress(text)) return text === undefined ? undefined : getAddress(text);
  throw mistake(`--${name} must be an address (0x and 40 hex digits).`);
}

/** An entry of `paymasterContracts` in the configuration. */
type ConfigEntry = {
  readonly version: string;
  readonly family: string;
  readonly address: Address;
  readonly tokenRecipient: Address;
};

/** The first major version above those of the chain's contracts. */
function nextVersion({ paymasterContracts }: ChainSection): string {
  const majors = paymasterContracts.map(({ version }) => Number(version.split('.')[0]));
  return `${Math.max(0, ...majors) + 1}.0.0`;
}

/**
 * Adds a paymaster contract to a chain of the configuration file, keeping its comments. False if the contract is already
 * listed. The file is replaced atomically, keeping its permissions.
 */
function writeEntry(flags: Flags, chainIndex: number, entry: ConfigEntry): boolean {
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
