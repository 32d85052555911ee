import { LuaScript } from '../platform/redis/lua-script.js';

/**
 * Writes head and new segments of a snapshot, unless a writer with a larger fence has taken the run over
 * (-1). Returns the bytes of the whole: a few lengths to add, however much they stand for. Segments of another generation do not belong to this head and go.
 */
export const writeSnapshot = new LuaScript(
  `
local key, fence, generation, ttl_ms = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local stored = redis.call('HMGET', key, 'fence', 'generation')
if tonumber(stored[1] or '-1') > tonumber(fence) then return -1 end
if stored[2] and stored[2] ~= generation then redis.call('DEL', key) end
redis.call('HSET', key, 'fence', fence, 'generation', generation, 'head', ARGV[4])
for i = 5, #ARGV, 2 do redis.call('HSET', key, 'seg:' .. ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', key, ttl_ms)
local bytes = 0
for _, field in ipairs(redis.call('HKEYS', key)) do
  if field ~= 'fence' and field ~= 'generation' then bytes = bytes + redis.call('HSTRLEN', key, field) end
end
return bytes
`,
  1,
);
