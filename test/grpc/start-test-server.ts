import { onTestFinished } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { Core } from '../../core/domain/core.ts';
import { connectCore } from '../../core/grpc/client.ts';
import type { GrpcServerLimits } from '../../core/grpc/grpc-limits.ts';
import { startGrpcServer } from '../../core/grpc/server.ts';
import type { GrpcServerTls } from '../../core/grpc/tls.ts';
import { createRecordingLogger, type LogLine } from '../support/logging/recording-logger.ts';
import { createRecordingCore, type RecordingCore } from './recording-core.ts';

export type TestServer = {
  readonly address: string;
  readonly far: RecordingCore;
  readonly lines: LogLine[];
  close(): Promise<void>;
};

/** What the server asks for on loopback, unless a test says otherwise. */
export const testToken = new Secret('the-token-of-a-test-that-is-long-enough');

/** A server with a recording core; closed when the test is over, if it is still open. */
export async function startTestServer(
  options: {
    address?: string;
    /** Without a notice, which would hold up a test that is over. */
    limits?: Partial<GrpcServerLimits>;
    reflection?: boolean;
    tls?: GrpcServerTls;
    token?: Secret<string>;
  } = {},
): Promise<TestServer> {
  const far = createRecordingCore();
  const { logger, lines } = createRecordingLogger();
  const { address = '127.0.0.1:0', reflection = false, limits, ...rest } = options;
  const access = rest.tls === undefined && !address.startsWith('unix:') ? { token: testToken } : {};
  const server = await startGrpcServer({
    core: far.core,
    address,
    reflection,
    logger,
    limits: { noticeMs: 0, ...limits },
    ...access,
    ...rest,
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= server.close();
    return closing;
  };
  onTestFinished(close);
  return { address: server.address, far, lines, close };
}

/** A client that is closed when the test is over. */
export function connectForTest(options: Parameters<typeof connectCore>[0]): Core {
  const { core, close } = connectCore({ token: testToken, ...options });
  onTestFinished(close);
  return core;
}
