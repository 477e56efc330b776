import type { Config } from '../config/config-schema.ts';

/** The files without which a copy of the database is of no use: master keys, and what the chains sign with. */
export function keyFiles({ masterKeyFile, previousMasterKeyFiles, chains = [] }: Config): readonly string[] {
  const signers = chains.flatMap((chain) => chain.signers ?? chain.signer ?? []);
  const files = [
    masterKeyFile,
    ...previousMasterKeyFiles,
    ...signers.flatMap(({ keystoreFile, passwordFile }) => [keystoreFile, passwordFile]),
  ];
  return [...new Set(files.filter((file) => file !== undefined))];
}
