import { LuaScript } from '../platform/redis/lua-script.js';

/** Raises the fence; one that is larger already stays. */
export const setFence = new LuaScript(
  `
if tonumber(redis.call('GET', KEYS[1]) or '-1') < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 'OK'
`,
  1,
);
