import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { parse } from 'jsonc-parser';
import { type Address, createPublicClient, http } from 'viem';
import { mistake, tryAgain } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { askNewPassword } from '../../clients/cli/terminal/prompts.ts';
import { readPassword } from '../../clients/cli/terminal/read-file.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { entryPointAddresses } from '../../core/domain/entry-point-version.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { explainNodeFailure } from '../../core/node/node-error.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import { expandNames } from '../config/expand-names.ts';
import { checkConfig, resolveFiles } from '../config/load-config.ts';
import { makeKeystore } from '../keystores.ts';
import { familyFlag } from '../paymaster-contract/family-flag.ts';
import { refuseToOverwrite, writeNewFiles } from '../write-files.ts';
import { answerQuestions, type InitAnswers, splitList } from './answer-questions.ts';
import { configurationText } from './configuration-text.ts';

/** The written files, and known facts about them. */
export type Initialized = {
  readonly config: string;
  readonly masterKey: string;
  readonly keystore: string;
  /** The file with the signing key's password; absent if the service asks for it. */
  readonly passwordFile?: string;
  /** The address of the signing key. */
  readonly signer: string;
  readonly family: string;
};

export async function initialize(flags: Flags): Promise<void> {
  const written = await writeConfiguration({ ...flags, family: familyFlag(flags) });
  printAnswer(flags, written, () => {
    printWritten(written);
    const named = `--config ${relativeTo(process.cwd(), written.config)}`;
    printLine('\nNext:');
    printLine(`  tollfree paymaster-contract deploy ${named} --family ${written.family} --keystore <who pays> --write`);
    printLine(`  tollfree node ${named}`);
    printLine(`  tollfree account create "My app" ${named}`);
    printLine('`tollfree setup` does all of it, and continues from here.');
  });
}

export function printWritten({ config, masterKey, keystore, passwordFile, signer }: Initialized): void {
  printLine(`Wrote ${config}`);
  printLine(`      ${masterKey}, which encrypts keys at rest`);
  printLine(`      ${keystore}, the signing key ${signer}`);
  if (passwordFile !== undefined) printLine(`      ${passwordFile}, its password`);
}

/**
 * Writes a commented configuration, a master key, and a signing key with its password. Overwrites nothing, and writes all
 * files or none.
 */
export async function writeConfiguration(flags: Flags): Promise<Initialized> {
  const configFile = resolve(textFlag(flags, 'config') ?? 'tollfree.json');
  refuseToOverwrite([configFile]);
  const answers = await answerQuestions(flags);
  const files = placeFiles(configFile, answers);
  refuseToOverwrite(Object.values(files));
  const { password, passwordFile, isNew } = await choosePassword(flags, dirname(files.keystore));
  if (isNew) refuseToOverwrite([passwordFile]);
  const text = await writeText(files, answers, passwordFile);
  const { address, text: keystore } = await withProgress('Encrypting the key', () =>
    makeKeystore(new Secret(password)),
  );
  writeNewFiles(
    new Map([
      [files.masterKey, `${randomBytes(32).toString('hex')}\n`],
      [files.keystore, keystore],
      ...(isNew ? [[passwordFile, `${password}\n`] as const] : []),
      [files.config, text],
    ]),
  );
  mkdirSync(dirname(files.database), { recursive: true, mode: 0o700 });
  const { config, masterKey, keystore: keystoreFile } = files;
  const family = answerTo(answers, 'family');
  return { config, masterKey, keystore: keystoreFile, ...omitAbsent({ passwordFile }), signer: address, family };
}

type Password =
  | { readonly password: string; readonly passwordFile: string; readonly isNew: boolean }
  | { readonly password: string; readonly passwordFile?: undefined; readonly isNew: false };

/**
 * The password of the signing key: from the given file, or from the terminal, or a new one in a file next to the keystore,
 * since a service that restarts by itself has no terminal.
 */
async function choosePassword(flags: Flags, folder: string): Promise<Password> {
  const given = textFlag(flags, 'signerPasswordFile');
  if (given !== undefined) {
    const passwordFile = resolve(given);
    return { password: readPassword(passwordFile), passwordFile, isNew: false };
  }
  if (flags.askSignerPassword === true) {
    const otherwise = 'There is no terminal to ask at. Use --signer-password-file.';
    return { password: await askNewPassword('Password for the new signing key', otherwise), isNew: false };
  }
  const password = randomBytes(24).toString('base64url');
  return { password, passwordFile: join(folder, 'signer.password'), isNew: true };
}

type Files = {
  readonly config: string;
  readonly masterKey: string;
  readonly keystore: string;
  readonly database: string;
};

function placeFiles(config: string, answers: InitAnswers): Files {
  const folder = dirname(config);
  return {
    config,
    masterKey: join(folder, 'secrets/master.key'),
    keystore: join(folder, 'secrets/signer.json'),
    database: join(resolve(folder, answerTo(answers, 'data')), 'tollfree.db'),
  };
}

/** The configuration, after asking the nodes and validating it. */
async function writeText(files: Files, answers: InitAnswers, passwordFile: string | undefined): Promise<string> {
  const folder = dirname(files.config);
  const chain = answerTo(answers, 'chain');
  const wellKnown = findWellKnownChain(chain);
  const chainId = wellKnown?.chainId ?? Number(chain);
  const nodeUrls = splitList(answerTo(answers, 'nodeUrl'));
  const parts = {
    chainId,
    wellKnown,
    coinUsd: answers.get('coinUsd') ?? '',
    nodeUrls,
    databaseFile: relativeTo(folder, files.database),
    coreSocket: relativeTo(folder, join(dirname(files.database), 'grpc/core.sock')),
    signUp: answerTo(answers, 'signUp'),
    publicUrl: answerTo(answers, 'publicUrl'),
    trustedProxies: splitList(answerTo(answers, 'trustedProxies')),
    masterKeyFile: relativeTo(folder, files.masterKey),
    keystoreFile: relativeTo(folder, files.keystore),
    passwordFile: passwordFile === undefined ? undefined : relativeTo(folder, passwordFile),
  };
  const check = (startBlock: bigint) => {
    const text = configurationText({ ...parts, startBlock });
    const { value } = expandNames(resolveFiles(parse(text), folder));
    checkConfig({ value, origins: new Map() }, files.config);
    return text;
  };
  check(0n);
  const entryPointVersion = paymasterContractFamilies.get(answerTo(answers, 'family'))?.entryPointVersion ?? '0.7';
  const entryPoint = entryPointAddresses[entryPointVersion];
  return check(await checkNodes(nodeUrls, { chainId, entryPoint, entryPointVersion }));
}

/** A path as written into a file of the folder: relative if it is inside. */
function relativeTo(folder: string, path: string): string {
  const inside = relative(folder, path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

function answerTo(answers: InitAnswers, option: string): string {
  const answer = answers.get(option);
  if (answer === undefined) throw new Error(`Nothing answers ${option}.`);
  return answer;
}

/** Longest wait for one node, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Checks that each node belongs to the chain, which has the EntryPoint, and returns the lowest of their newest blocks. URLs
 * may contain a key, so a node is named by its position in the list.
 */
async function checkNodes(
  nodeUrls: readonly string[],
  chain: { readonly chainId: number; readonly entryPoint: Address; readonly entryPointVersion: string },
): Promise<bigint> {
  const heads = await Promise.all(nodeUrls.map((url, index) => checkNode(url, index + 1, chain)));
  return heads.reduce((least, head) => (head < least ? head : least));
}

async function checkNode(url: string, location: number, chain: Parameters<typeof checkNodes>[1]): Promise<bigint> {
  const client = createPublicClient({ transport: http(url, { retryCount: 0, timeout: timeoutMs }) });
  const asked = Promise.all([
    client.getChainId(),
    client.getBlockNumber(),
    client.getCode({ address: chain.entryPoint }),
  ]);
  const [chainId, head, code] = await asked.catch((error: unknown) => {
    const { text, remedy } = explainNodeFailure(error);
    throw tryAgain(`Node ${location} of --node-url did not answer. ${text} ${remedy} Nothing was written.`);
  });
  if (chainId !== chain.chainId) {
    throw mistake(`Node ${location} of --node-url is for chain ${chainId}, not ${chain.chainId}.`);
  }
  if (code !== undefined) return head;
  throw mistake(`Chain ${chainId} has no EntryPoint ${chain.entryPointVersion} at ${chain.entryPoint}.`);
}
