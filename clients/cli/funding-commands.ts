import type { ManagementClient } from '@tollfree/sdk/management';
import { openPaymasterId } from './open-management.ts';
import { openKeyFile, openWallet } from './open-wallet.ts';
import { mistake } from './terminal/cli-error.ts';
import { type Flags, textFlag } from './terminal/flags.ts';
import { printAnswer, printHint, printLine } from './terminal/print-answer.ts';

/** Prints only the text to sign on stdout. */
async function printFundingMessage(flags: Flags): Promise<void> {
  const { client, paymasterId } = await openPaymasterId(flags);
  const { fundingMessage } = await client.createFundingMessage({ paymasterId });
  printAnswer(flags, { paymasterId, fundingMessage }, () => {
    printLine(fundingMessage);
    printHint(
      '\nSign this text (EIP-191, without the last line break) with the wallet, then within 15 minutes:\n' +
        'tollfree funding set-wallet --wallet <address> --signature <signature>',
    );
  });
}

/** `tollfree funding set-wallet`: signs with a keystore or a key, takes a signature, or prints the text to sign. */
export async function setFundingWallet(flags: Flags): Promise<void> {
  const keystore = textFlag(flags, 'keystore');
  const signature = textFlag(flags, 'signature');
  const address = textFlag(flags, 'wallet');
  const keyFile = textFlag(flags, 'keyFile');
  if ([keystore, keyFile, signature].filter((each) => each !== undefined).length > 1)
    throw mistake('Give one of --keystore, --key-file and --signature.');
  if (signature !== undefined && address === undefined)
    throw mistake('--wallet is missing: it names the wallet that signed.');
  if (keystore === undefined && keyFile === undefined && signature === undefined) return printFundingMessage(flags);
  const unlocked = keyFile === undefined ? undefined : openKeyFile(keyFile);
  const wallet = keystore === undefined ? unlocked : await openWallet(keystore, flags);
  const { client, paymasterId } = await openPaymasterId(flags);
  const proof =
    wallet === undefined
      ? { signature: signature ?? '', address: address ?? '' }
      : { signature: await signNewMessage(client, paymasterId, wallet), address: wallet.address };
  const paymaster = await client.setFundingWallet({ paymasterId, ...proof });
  printAnswer(flags, { ...paymaster, fundingWallet: proof.address }, () => {
    printLine(`${proof.address} is the funding wallet of the paymaster ${paymaster.name}.`);
    printHint('Deposits of an earlier wallet stay in its own tank (tollfree tank shows it).');
  });
}

async function signNewMessage(
  client: ManagementClient,
  paymasterId: string,
  wallet: { signMessage(input: { message: string }): Promise<string> },
): Promise<string> {
  const { fundingMessage } = await client.createFundingMessage({ paymasterId });
  return wallet.signMessage({ message: fundingMessage });
}
