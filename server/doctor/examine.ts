import { styleText } from 'node:util';
import type { Address } from 'viem';
import { readDevTarget } from '../../clients/cli/read-dev-target.ts';
import { CliError, exitCodes, exitMistake, mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { createChainClient, createNodeClients } from '../../core/node/chain-client.ts';
import type { ChainSection } from '../config/chain-schema.ts';
import type { Config } from '../config/config-schema.ts';
import { findConfigFile, loadConfig, withOwnConfig } from '../config/load-config.ts';
import { findMistakes } from '../config-check/find-mistakes.ts';
import type { ConfigMistake } from '../config-check/mistake.ts';
import { addressOfKey } from '../keystores.ts';
import { checkContracts, checkHotWallet } from './chain/check-contracts.ts';
import { checkFees } from './chain/check-fees.ts';
import { checkNodes } from './chain/check-nodes.ts';
import { checkPrices, checkTokens } from './chain/check-prices.ts';
import { checkBundler, checkRelay } from './chain/check-relay.ts';
import { checkVendor } from './chain/check-vendor.ts';
import { type Check, type Finding, type Findings, findingsAbout } from './finding.ts';
import { checkCertificates } from './machine/check-certificates.ts';
import { checkDatabase } from './machine/check-database.ts';
import { checkEgress } from './machine/check-egress.ts';
import { checkMachine } from './machine/check-machine.ts';
import { checkProxies, checkServer, checkService, checkSignUp } from './machine/check-service.ts';

const exitWarnings = exitCodes.review.code;

const marks = { ok: ['✓', 'green'], warning: ['!', 'yellow'], failure: ['✗', 'red'] } as const;

/**
 * `tollfree doctor`: reports problems of an installation and how to fix them. Exit code: 0 = ok, 1 = at least one failure, 2
 * = warnings only.
 */
export async function showFindings(given: Flags): Promise<void> {
  const flags = withOwnConfig(given);
  if (findConfigFile(flags) === undefined) {
    throw mistake(
      readDevTarget() === undefined
        ? 'Name the configuration: --config <file>.'
        : 'A development service has no configuration to check: `tollfree status` shows what is wrong. For another one: --config <file>.',
    );
  }
  const findings = await withProgress('Checking the installation', () => examine(flags));
  printAnswer(flags, { findings }, () => printLine(describe(findings)));
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length;
  const [failures, warnings] = [count('failure'), count('warning')];
  const found = `${failures} to fix, ${warnings} to review`;
  if (failures > 0) throw new CliError(found, exitMistake);
  if (warnings > 0) throw new CliError(found, exitWarnings);
}

/** A line per finding, grouped by object, and another one for its remedy. */
function describe(findings: readonly Finding[]): string {
  const topics = [...new Set(findings.map(({ about }) => about))];
  return topics
    .map((topic) => [topic, ...findings.filter(({ about }) => about === topic).flatMap(linesOf)].join('\n'))
    .join('\n');
}

function linesOf({ level, message, remedy }: Finding): readonly string[] {
  const [mark, colour] = marks[level];
  const line = `  ${styleText(colour, mark, { stream: process.stdout })} ${message}`;
  return remedy === undefined ? [line] : [line, `    ${remedy}`];
}

/** Time limit of one check, in milliseconds. */
const limitMs = 15_000;

/** Runs checks in parallel, each within the time limit, and returns their findings in order. */
export async function runChecks(checks: readonly Check[]): Promise<readonly Finding[]> {
  const found = await Promise.all(checks.map(runCheck));
  return found.flat();
}

async function runCheck({ about, run }: Check): Promise<Findings> {
  const { failure } = findingsAbout(about);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<Findings>((resolve) => {
    const message = `Check failed: no result within ${limitMs / 1_000} seconds.`;
    const late = failure(
      'check-timed-out',
      message,
      'Try again. If it fails again, check whether the other side or this machine is overloaded.',
    );
    timer = setTimeout(() => resolve(late), limitMs);
  });
  try {
    return await Promise.race([run(), limit]);
  } catch (error) {
    const name = error instanceof Error ? error.name : 'an error';
    return failure(
      'check-failed',
      `Check failed: ${name}.`,
      'Fix the other findings of its chain first. If there are none, try again, then report it with your configuration.',
    );
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Examines an installation: configuration, files, this machine, the chains. Changes nothing and takes no lock, so that it
 * works while a service runs.
 */
async function examine(flags: Flags): Promise<readonly Finding[]> {
  const mistakes = await findMistakes(flags);
  const inConfig = mistakes.map(asFinding);
  const config = loadIfValid(flags);
  if (config === undefined) return inConfig;
  const sound = findingsAbout('configuration').ok('configuration', 'It is valid.');
  const chains = await Promise.all((config.chains ?? []).map(checksOfChain));
  const checks: readonly Check[] = [
    { about: 'this machine', run: async () => checkMachine(config) },
    { about: 'sign-up', run: async () => checkSignUp(config) },
    { about: 'proxies', run: async () => checkProxies(config) },
    { about: 'certificates', run: async () => checkCertificates(config) },
    ...checkEgress(config),
    ...chains.flat(),
    ...checkService(config),
  ];
  const found = await runChecks(checks);
  // Last and separately: reading the whole file would delay the other answers.
  const inFile = config.databaseFile === undefined ? [] : await checkDatabase(config.databaseFile, config);
  const onServer = config.databaseUrl === undefined ? [] : await checkServer(config.databaseUrl, config);
  return [...(inConfig.length === 0 ? [sound] : inConfig), ...inFile, ...onServer, ...found];
}

function asFinding({ id, setting, place, problem, hint }: ConfigMistake): Finding {
  const message = `${setting === '' ? problem : `${setting} ${problem}`} (${place}).`;
  return findingsAbout('configuration').failure(`config-${id}`, message, hint ?? 'Correct it there.');
}

/** Even with problems in files the settings may be valid; then the rest is still checked. */
function loadIfValid(flags: Flags): Config | undefined {
  try {
    return loadConfig(flags);
  } catch {
    return undefined;
  }
}

async function checksOfChain(chain: ChainSection): Promise<readonly Check[]> {
  const client = createChainClient(chain);
  const signers = await signersOf(chain);
  return [
    ...checkNodes(chain, createNodeClients(chain)),
    ...checkContracts(chain, client, signers),
    ...checkBundler(chain),
    ...checkRelay(chain, client, signers),
    ...checkVendor(chain, client),
    ...checkHotWallet(chain, client),
    ...checkFees(chain, client),
    ...checkPrices(chain, client),
    ...checkTokens(chain, client),
  ];
}

/** The known addresses of the chain's keys, newest first. */
async function signersOf({
  signer,
  signers = signer === undefined ? [] : [signer],
}: ChainSection): Promise<readonly Address[]> {
  const addresses: Address[] = [];
  // Sequentially: opening a typical keystore takes 256 MiB.
  for (const one of signers) {
    const address = await addressOfKey(one);
    if (address !== undefined) addresses.push(address);
  }
  return addresses;
}
