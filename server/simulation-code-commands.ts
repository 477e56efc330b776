import { counted } from '@tollfree/contract/counted';
import { type Address, concat, type Hex, size } from 'viem';
import { mistake, tryAgain } from '../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../clients/cli/terminal/print-answer.ts';
import { entryPointVersions } from '../core/domain/entry-point-version.ts';
import { deploymentProxy, zeroSalt } from '../core/evm/deployment-proxy.ts';
import { addressOnChain, codeInFull, creationCodeOf } from '../core/gas/simulation/simulation-code.ts';
import { loadConfig, withOwnConfig } from './config/load-config.ts';
import { carryOut, toAnswer } from './paymaster-contract/carry-out.ts';
import {
  askChain,
  type ChainAccess,
  configuredContracts,
  openChain,
} from './paymaster-contract/configured-contract.ts';
import { findPayer, type Payer } from './paymaster-contract/payer.ts';

type Shown = Pick<SimulationCodeThere, 'name' | 'address' | 'isThere'> & {
  readonly chainId: number;
  readonly bytes: number;
};

/** `tollfree simulation-code status`: which simulation codes are deployed on which chain. Changes nothing. */
export async function showSimulationCode(flags: Flags): Promise<void> {
  const config = loadConfig(withOwnConfig(flags));
  const wanted = textFlag(flags, 'chain');
  const ids = wanted === undefined ? (config.chains ?? []).map(({ chainId }) => String(chainId)) : [wanted];
  const found: Shown[] = [];
  for (const chain of ids) {
    const access = await openChain(config, { ...flags, chain });
    for (const { name, code, address, isThere } of await readSimulationCodes(access)) {
      found.push({ chainId: access.chain.chainId, name, address, bytes: size(code), isThere });
    }
  }
  printAnswer(flags, found, () => {
    for (const { chainId, name, address, bytes, isThere } of found) {
      const how = isThere ? 'on chain' : `not on chain: its ${bytes} bytes are sent with each simulation`;
      printLine(`${String(chainId).padEnd(10)} ${name.padEnd(15)} ${address} ${how}`);
    }
  });
}

/** A code that simulations otherwise put on chain for one call, and whether it is deployed. */
export type SimulationCodeThere = {
  readonly name: string;
  readonly code: Hex;
  readonly address: Address;
  readonly isThere: boolean;
};

/** The simulation codes of the chain's EntryPoints, without duplicates. */
export async function readSimulationCodes({ chain, client }: ChainAccess): Promise<readonly SimulationCodeThere[]> {
  const { chainId } = chain;
  const codes = new Map<Address, { readonly name: string; readonly code: Hex }>();
  // A configuration only names an EntryPoint that is not at its usual address.
  const ofContracts = new Map(
    configuredContracts(chain).map(({ family, entryPoint }) => [family.entryPointVersion, entryPoint]),
  );
  for (const version of entryPointVersions) {
    const entryPoint = chain.entryPoints[version] ?? ofContracts.get(version);
    if (entryPoint === undefined) continue;
    const there = await askChain(chainId, client.getCode({ address: entryPoint }));
    if (there === undefined) throw mistake(`There is no EntryPoint ${version} at ${entryPoint} on chain ${chainId}.`);
    const { probe, entryPoint: simulations } = codeInFull(version, there);
    codes.set(addressOnChain(probe), { name: 'probe', code: probe });
    codes.set(addressOnChain(simulations), { name: `EntryPoint ${version}`, code: simulations });
  }
  return Promise.all(
    [...codes].map(async ([address, { name, code }]) => {
      const isThere = (await askChain(chainId, client.getCode({ address }))) === code;
      return { name, code, address, isThere };
    }),
  );
}

/**
 * `tollfree simulation-code deploy`: a transaction for each code that is not on chain yet. The result has no owner, and is
 * the same whoever deploys it.
 */
export async function deploySimulationCode(given: Flags): Promise<void> {
  const flags = withOwnConfig(given);
  const access = await openChain(loadConfig(flags), flags);
  const payer = await findPayer(flags);
  const { chainId } = access.chain;
  if ((await askChain(chainId, access.client.getCode({ address: deploymentProxy }))) === undefined) {
    throw mistake(`Chain ${chainId} has no deployment proxy at ${deploymentProxy}, which deploys the code.`);
  }
  const codes = await readSimulationCodes(access);
  const outcomes: Record<string, unknown>[] = [];
  for (const code of codes) outcomes.push(await deployOne(access, code, payer, flags));
  printAnswer(flags, outcomes, () => {
    if (codes.every(({ isThere }) => isThere)) printHint('Everything is already deployed. Nothing was sent.');
    else if (outcomes.some(({ sent }) => sent))
      printHint('The service uses it about ten minutes after it is confirmed.');
  });
}

async function deployOne(
  access: ChainAccess,
  { name, code, address, isThere }: SimulationCodeThere,
  payer: Payer,
  flags: Flags,
): Promise<Record<string, unknown>> {
  const { chainId } = access.chain;
  if (isThere) return { name, address, chainId, sent: false, alreadyThere: true };
  const planned = {
    action: `deploy the simulation code (${name})`,
    from: payer.address,
    to: deploymentProxy,
    data: concat([zeroSalt, creationCodeOf(code)]),
    value: 0n,
    facts: [['address', address]] as const,
    changes: `${counted(size(code), 'byte')} of code at ${address}, without an owner`,
  };
  const done = await carryOut(access, { planned, payer }, flags);
  if (done.receipt !== undefined) await checkMade(access, address, code);
  return { name, address, ...toAnswer(chainId, done) };
}

async function checkMade({ chain, client }: ChainAccess, address: Hex, code: Hex): Promise<void> {
  if ((await askChain(chain.chainId, client.getCode({ address }))) === code) return;
  throw tryAgain(`The transaction landed, but its code is not at ${address} yet. Check again: simulation-code status.`);
}
