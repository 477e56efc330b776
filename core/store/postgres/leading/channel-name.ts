/** SQL for what processes of one schema listen to: no name of a channel is as long as that of a schema can be. */
export const channelName = "'tollfree_' || md5(current_schema())";
