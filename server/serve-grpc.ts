import { omitAbsent } from '@tollfree/contract/omit-absent';
import { mistake, tryAgain } from '../clients/cli/terminal/cli-error.ts';
import type { Logger } from '../core/base/logger.ts';
import type { Core } from '../core/domain/core.ts';
import { type GrpcServer, startGrpcServer } from '../core/grpc/server.ts';
import type { Config } from './config/config-schema.ts';
import { readGrpcToken, readServerTls } from './config/secret-files.ts';
import { watchCertificate } from './watch-certificate.ts';

/** Opens the configured gRPC address. A taken one may become free, so it can be retried. */
export async function serveGrpc(parts: {
  core: Core;
  listen: string;
  grpc: Config['grpc'];
  logger: Logger;
}): Promise<GrpcServer> {
  const { core, listen, grpc, logger } = parts;
  const tls = readServerTls(grpc);
  const token = grpc.tokenFile === undefined ? undefined : readGrpcToken(grpc.tokenFile);
  try {
    const server = await startGrpcServer({
      core,
      address: listen,
      reflection: grpc.reflection,
      logger,
      ...omitAbsent({ tls, token }),
    });
    if (tls === undefined) return server;
    const stop = watchCertificate('grpc.tls.certificateFile', tls.certificate, logger);
    return {
      ...server,
      close: () => {
        stop();
        return server.close();
      },
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error';
    if (message.includes('cannot listen')) throw tryAgain(`${message}. Choose another with --grpc-listen.`, error);
    throw mistake(`${message}.`, error);
  }
}
