import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LocalAccount } from 'viem/accounts';
import { openWalletWith } from '../../clients/cli/open-wallet.ts';
import { askNewPassword } from '../../clients/cli/terminal/ask-password.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { readPassword } from '../../clients/cli/terminal/read-file.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { writeNewFiles } from '../init/write-new-files.ts';
import { makeKeystore } from '../keys/make-keystore.ts';
import { findPayer, type Payer } from '../paymaster-contract/payer.ts';
import type { Progress } from './service-steps.ts';

const defaultKeystore = 'payer.json';

/**
 * The wallet that pays, owns the contract and fills the first tank: from `--key-file` or `--keystore`; a missing keystore is
 * created. Its password is asked for once.
 */
export async function preparePayer(flags: Flags, progress: Progress): Promise<Payer> {
  const keystore = textFlag(flags, 'keystore') ?? defaultKeystore;
  const isNamed = textFlag(flags, 'keyFile') !== undefined;
  if (isNamed || existsSync(resolve(keystore))) {
    const payer = await findPayer(isNamed ? flags : { ...flags, keystore });
    progress.note('payer', 'there', payer.address);
    return openedOnce(payer);
  }
  const passwordFile = textFlag(flags, 'passwordFile');
  const password =
    passwordFile === undefined
      ? await askNewPassword(
          `Password for the new wallet ${keystore}, which pays and owns the contract`,
          `There is no ${keystore} yet. Name the payer with --key-file or --keystore, or set --password-file for a new one.`,
        )
      : readPassword(resolve(passwordFile));
  const { address, text } = await withProgress('Encrypting the key', () => makeKeystore(new Secret(password)));
  const file = resolve(keystore);
  writeNewFiles(new Map([[file, text]]));
  progress.note('payer', 'done', `${address}, new in ${keystore}`);
  return openedOnce({ address, open: () => openWalletWith(file, password) });
}

function openedOnce({ address, open }: Payer): Payer {
  let opened: Promise<LocalAccount> | undefined;
  return {
    address,
    open: () => {
      opened ??= open();
      return opened;
    },
  };
}
