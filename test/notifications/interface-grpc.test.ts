import { describeNotifications } from './interface.suite.ts';

describeNotifications('grpc');
