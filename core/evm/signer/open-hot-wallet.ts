import type { Address, Hex, TransactionSerializable } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { LocalKeyConfig } from '../../domain/signer-config.ts';
import { openKeystore } from './open-keystore.ts';

/** A key that signs transactions. A {@link Signer} cannot: it only signs EIP-191 messages. */
export type HotWallet = {
  readonly address: Address;
  signTransaction(transaction: TransactionSerializable): Promise<Hex>;
};

/**
 * Opens the key of a wallet that sends transactions.
 *
 * @throws SignerConfigError when the keystore cannot be read or the password is wrong.
 */
export async function openHotWallet(config: LocalKeyConfig): Promise<HotWallet> {
  const key =
    config.kind === 'raw' ? config.privateKey : await (config.opening ?? openKeystore(config.json, config.password));
  const account = privateKeyToAccount(key.reveal());
  return { address: account.address, signTransaction: (transaction) => account.signTransaction(transaction) };
}
