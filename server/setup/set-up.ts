import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readUsd } from '@tollfree/contract/fields/forms';
import { formatEther } from 'viem';
import { dailyLimitFlag } from '../../clients/cli/daily-limit-flag.ts';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { readNamedFile } from '../../clients/cli/terminal/read-file.ts';
import type { Paymaster } from '../../core/domain/paymaster.ts';
import type { Config } from '../config/config-schema.ts';
import { loadConfig, ownConfigFile } from '../config/load-config.ts';
import { answerQuestion, familyQuestion } from '../init/answer-questions.ts';
import { printWritten, writeConfiguration } from '../init/initialize.ts';
import { planDeposit, planStake, sendChange } from '../paymaster-contract/change-contract.ts';
import {
  type ChainAccess,
  type ConfiguredContract,
  configuredContracts,
  openChain,
} from '../paymaster-contract/configured-contract.ts';
import { makeContract } from '../paymaster-contract/deploy-contract.ts';
import { minUnstakeDelay } from '../paymaster-contract/family-facts.ts';
import { familyFlag } from '../paymaster-contract/family-flag.ts';
import type { Payer } from '../paymaster-contract/payer.ts';
import {
  findMissing,
  fundPayer,
  landPending,
  type Missing,
  preparePayer,
  readMoney,
  readWanted,
  type Wanted,
} from './fund-payer.ts';
import { createProgress, nameOperator, type Progress, setUpService } from './service-steps.ts';

/**
 * `tollfree setup`: from nothing to a paymaster with a filled tank. It keeps no state of its own: it inspects files, chain
 * and database and does what is missing, so that it continues wherever an earlier run ended.
 */
export async function setUp(given: Flags, known: readonly string[]): Promise<void> {
  const answered = withAnswers(given, known);
  const flags = { ...answered, family: familyFlag(answered) };
  const dailyUsd = dailyLimitFlag(flags);
  const configFile = resolve(textFlag(flags, 'config') ?? ownConfigFile);
  const progress = createProgress(flags);
  const family = await prepareConfiguration(configFile, flags, progress);
  const payer = await preparePayer(flags, progress);
  const withFile = { ...flags, config: configFile, family };
  const { access, contract, missing } = await prepareContract(withFile, payer, progress);
  await addStake({ access, contract, payer }, missing, withFile, progress);
  const config = loadConfig(withFile);
  const authTokenFile = join(dirname(configFile), 'secrets/auth-token');
  const paymaster = await setUpService(
    config,
    {
      accountName: textFlag(flags, 'accountName') ?? 'My app',
      paymasterName: textFlag(flags, 'paymasterName') ?? 'main',
      access,
      contract,
      authTokenFile,
      payer,
      dailyUsdMicros: dailyUsd === undefined ? undefined : readUsd(dailyUsd),
    },
    progress,
  );
  const operators = { accountId: paymaster.accountId, known: config.dashboard.operators };
  nameOperator(configFile, operators, progress);
  await addDeposit({ access, contract, payer }, missing, withFile, progress);
  finish({ flags, config, configFile, paymaster, authTokenFile, progress });
}

/** Makes sure of the configuration, and returns the family of its contract if a flag or an answer names one. */
async function prepareConfiguration(configFile: string, flags: Flags, progress: Progress): Promise<string | undefined> {
  if (existsSync(configFile)) {
    progress.note('configuration', 'there', configFile);
    return textFlag(flags, 'family');
  }
  const written = await writeConfiguration({ ...flags, config: configFile });
  if (flags.json !== true) printWritten(written);
  progress.note('configuration', 'done', configFile);
  return written.family;
}

type OnChain = { readonly access: ChainAccess; readonly contract: ConfiguredContract; readonly payer: Payer };

/** Makes sure of the coins for everything missing on the chain, and deploys the contract if there is none. */
async function prepareContract(
  flags: Flags,
  payer: Payer,
  progress: Progress,
): Promise<Omit<OnChain, 'payer'> & { readonly missing: Missing }> {
  const access = await openChain(loadConfig(flags), flags);
  await landPending(access, payer.address);
  const contract = findConfigured(access, flags);
  const family = contract?.family.name ?? (await answerQuestion(familyQuestion, flags)) ?? '';
  const wanted: Wanted = readWanted(flags, access.chain.chainId, family);
  const missing = findMissing(contract !== undefined, wanted, await readMoney(access, contract));
  await fundPayer(access, payer.address, missing, flags);
  if (contract !== undefined) {
    progress.note('contract', 'there', `${contract.family.name} ${contract.address}`);
    return { access, contract, missing };
  }
  await makeContract(access, payer, { ...quietly(flags), family, write: true });
  // From the updated configuration.
  const after = await openChain(loadConfig(flags), flags);
  const made = findConfigured(after, flags);
  if (made === undefined) throw mistake('The contract was deployed, but the configuration does not have it.');
  progress.note('contract', 'done', `${made.family.name} ${made.address}`);
  // It may have been on the chain before, and only missing in the configuration.
  return { access: after, contract: made, missing: findMissing(true, wanted, await readMoney(after, made)) };
}

/** The chain's contract of the given family, or its first one. */
function findConfigured({ chain }: ChainAccess, flags: Flags): ConfiguredContract | undefined {
  const family = textFlag(flags, 'family');
  return configuredContracts(chain).find((contract) => family === undefined || contract.family.name === family);
}

/** All transactions were confirmed before, and stdout is for the steps. */
function quietly(flags: Flags): Flags {
  return { ...flags, yes: true, json: true };
}

async function addStake(onChain: OnChain, { stake }: Missing, flags: Flags, progress: Progress): Promise<void> {
  if (stake === 0n) return progress.note('stake', 'there', 'enough');
  await sendChange(onChain, planStake(stake, minUnstakeDelay), quietly(flags));
  progress.note('stake', 'done', `${formatEther(stake)} ether`);
}

async function addDeposit(onChain: OnChain, { deposit }: Missing, flags: Flags, progress: Progress): Promise<void> {
  if (deposit === 0n) return progress.note('deposit', 'there', 'not empty');
  await sendChange(onChain, planDeposit(deposit), quietly(flags));
  progress.note('deposit', 'done', `${formatEther(deposit)} ether for the tank of ${onChain.payer.address}`);
}

function finish(end: {
  readonly flags: Flags;
  readonly config: Config;
  readonly configFile: string;
  readonly paymaster: Paymaster;
  readonly authTokenFile: string;
  readonly progress: Progress;
}): void {
  const { flags, config, configFile, paymaster, authTokenFile, progress } = end;
  const { apiKey, paymasterId, chainId } = paymaster;
  const { host, port } = config.gateway.listen;
  const origin = config.dashboard.publicUrl ?? `http://${host}:${port}`;
  const rpcUrl = `${origin}/api/v2/${chainId}/${apiKey}`;
  printAnswer(flags, { config: configFile, steps: progress.outcomes, paymasterId, apiKey, rpcUrl }, () => {
    printLine(`\nThe paymaster's URL:  ${rpcUrl}`);
    const named = relative(process.cwd(), configFile);
    printLine(`Check everything:     tollfree doctor --config ${named}`);
    printLine(`Start the service:    tollfree node --config ${named}`);
    const account = `--url ${origin} --auth-token-file ${relative(process.cwd(), authTokenFile)} --paymaster ${paymasterId}`;
    printLine(
      `Sponsor a contract:   tollfree contract register <name> --address <address> --abi <file> --whitelist <method> ${account}`,
    );
  });
}

/** The flags, completed by the answers of `--answers`. `known` are the names of flags. */
function withAnswers(flags: Flags, known: readonly string[]): Flags {
  const file = textFlag(flags, 'answers');
  if (file === undefined) return flags;
  const answers = parse(readNamedFile(resolve(file), 'The file of answers'), file);
  for (const [name, value] of Object.entries(answers)) {
    if (!known.includes(name) || name === 'answers') {
      throw mistake(`${file} has the unknown answer "${name}". Answers are named like flags: nodeUrl for --node-url.`);
    }
    if (typeof value !== 'string' && value !== true) {
      throw mistake(`The answer "${name}" in ${file} must be text, or true for a flag without a value.`);
    }
  }
  return { ...answers, ...flags };
}

function parse(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const answers: unknown = JSON.parse(text);
    if (typeof answers === 'object' && answers !== null && !Array.isArray(answers)) return { ...answers };
  } catch {
    // Reported by the sentence below.
  }
  throw mistake(`${file} must be a JSON object, like { "chain": "base" }.`);
}
