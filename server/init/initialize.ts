import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import { askNewPassword } from '../../clients/cli/terminal/ask-password.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { readPassword } from '../../clients/cli/terminal/read-file.ts';
import { textFlag } from '../../clients/cli/terminal/text-flag.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { entryPointAddresses } from '../../core/domain/entry-point-version.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import { expandNames } from '../config/expand-names.ts';
import { checkConfig } from '../config/load-config.ts';
import { resolveFiles } from '../config/resolve-files.ts';
import { makeKeystore } from '../keys/make-keystore.ts';
import { answerQuestions, type InitAnswers } from './answer-questions.ts';
import { checkNodes } from './check-nodes.ts';
import { configurationText } from './configuration-text.ts';
import { splitUrls } from './init-questions.ts';
import { refuseToOverwrite, writeNewFiles } from './write-new-files.ts';

/** `tollfree init`: a commented configuration, a master key and a signing key. Overwrites nothing, and writes all or none. */
export async function initialize(flags: Flags): Promise<void> {
  const configFile = resolve(textFlag(flags, 'config') ?? 'tollfree.json');
  const passwordFile = textFlag(flags, 'passwordFile');
  refuseToOverwrite([configFile]);
  const answers = await answerQuestions(flags, passwordFile === undefined ? ['--password-file'] : []);
  const files = placeFiles(configFile, answers);
  refuseToOverwrite(Object.values(files));
  const password =
    passwordFile === undefined
      ? await askNewPassword(
          'Password for the new signing key',
          'The signing key needs a password: use --password-file.',
        )
      : readPassword(resolve(passwordFile));
  const text = await writeText(files, answers, passwordFile);
  const { address, text: keystore } = await withProgress('Encrypting the key', () =>
    makeKeystore(new Secret(password)),
  );
  writeNewFiles(
    new Map([
      [files.masterKey, `${randomBytes(32).toString('hex')}\n`],
      [files.keystore, keystore],
      [files.config, text],
    ]),
  );
  mkdirSync(dirname(files.database), { recursive: true, mode: 0o700 });
  const family = answerTo(answers, 'family');
  const { config, masterKey, keystore: keystoreFile } = files;
  printAnswer(flags, { config, masterKey, keystore: keystoreFile, signer: address, family }, () => {
    printLine(`Wrote ${config}`);
    printLine(`      ${masterKey}, which encrypts keys at rest`);
    printLine(`      ${keystoreFile}, the signing key ${address}`);
    const named = `--config ${relativeTo(process.cwd(), config)}`;
    printLine('\nNext:');
    printLine(`  tollfree paymaster-contract deploy ${named} --family ${family} --keystore <who pays> --write`);
    printLine(`  tollfree node ${named}`);
    printLine(`  tollfree account create "My app" ${named}`);
  });
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

/** The configuration, once the nodes have been asked and it is a valid one. */
async function writeText(files: Files, answers: InitAnswers, passwordFile: string | undefined): Promise<string> {
  const folder = dirname(files.config);
  const chain = answerTo(answers, 'chain');
  const wellKnown = findWellKnownChain(chain);
  const chainId = wellKnown?.chainId ?? Number(chain);
  const family = answerTo(answers, 'family');
  const nodeUrls = splitUrls(answerTo(answers, 'nodeUrl'));
  const parts = {
    chainId,
    wellKnown,
    coinUsd: answers.get('coinUsd') ?? '',
    nodeUrls,
    family,
    databaseFile: relativeTo(folder, files.database),
    coreSocket: relativeTo(folder, join(dirname(files.database), 'grpc/core.sock')),
    signUp: answerTo(answers, 'signUp'),
    publicUrl: answerTo(answers, 'publicUrl'),
    masterKeyFile: relativeTo(folder, files.masterKey),
    keystoreFile: relativeTo(folder, files.keystore),
    passwordFile: passwordFile === undefined ? undefined : relativeTo(folder, resolve(passwordFile)),
  };
  const check = (startBlock: bigint) => {
    const text = configurationText({ ...parts, startBlock });
    const { value } = expandNames(resolveFiles(parse(text), folder));
    checkConfig({ value, origins: new Map() }, files.config);
    return text;
  };
  check(0n);
  const entryPointVersion = paymasterContractFamilies.get(family)?.entryPointVersion ?? '0.7';
  const entryPoint = entryPointAddresses[entryPointVersion];
  return check(await checkNodes(nodeUrls, { chainId, entryPoint, entryPointVersion }));
}

/** A path as it is written into a file of the folder: relative where it is inside. */
function relativeTo(folder: string, path: string): string {
  const inside = relative(folder, path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

function answerTo(answers: InitAnswers, option: string): string {
  const answer = answers.get(option);
  if (answer === undefined) throw new Error(`Nothing answers ${option}.`);
  return answer;
}
