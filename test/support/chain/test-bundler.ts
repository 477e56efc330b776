import type { ChainConfig } from '../../../core/domain/core-config.ts';
import { startDevBundler } from '../../../server/dev/bundler/start-dev-bundler.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { bundler as account } from './chain-lab.ts';

/** The development bundler, and what it was asked for. */
export type TestBundler = {
  readonly url: string;
  /** Methods it was asked for, in order. */
  readonly methods: readonly string[];
  close(): Promise<void>;
};

export async function startTestBundler(devnet: Devnet, config: ChainConfig): Promise<TestBundler> {
  const methods: string[] = [];
  const onRequest = (method: string) => methods.push(method);
  const { url, close } = await startDevBundler({ devnet, config, account, port: 0, onRequest });
  return { url, methods, close };
}
