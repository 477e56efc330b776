import { connectCore } from '../../core/grpc/client.ts';
import { type GatewayAddresses, startBenchGateway } from './gateway.ts';

/** A gateway as a process of its own, in front of the core at the address that is its argument. Posts where it listens. */
const [address = ''] = process.argv.slice(2);
const client = connectCore({ address });
const gateway = await startBenchGateway(client.core);
const location: GatewayAddresses = { url: gateway.url, adminUrl: gateway.adminUrl };
process.send?.(location);
process.once('disconnect', () => {
  void gateway.close().then(() => {
    client.close();
    process.exit(0);
  });
});
