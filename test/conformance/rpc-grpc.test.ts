import { describeRpc } from './rpc.suite.ts';

describeRpc('grpc');
