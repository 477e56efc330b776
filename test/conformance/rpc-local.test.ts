import { describeRpc } from './rpc.suite.ts';

describeRpc('local');
