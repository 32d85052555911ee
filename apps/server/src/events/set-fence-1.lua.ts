import { LuaScript } from '../platform/redis/lua-script.js';

/** Raises the fence; one that is larger already stays. */
export const setFence = new LuaScript(
  `
local fence = redis.call('HGET', KEYS[1], 'fence') or '-1'
if tonumber(fence) < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'fence', ARGV[1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 'OK'
`,
  1,
);
