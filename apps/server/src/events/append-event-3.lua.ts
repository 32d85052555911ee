import { LuaScript } from '../platform/redis/lua-script.js';

/**
 * Appends one entry, if the writer still holds the run and nothing of the log was lost.
 *
 * The tail is the stream's last generated id, not its last entry: an id that was ever given out stays taken.
 * A log that is gone forgets its seen ids too, or a lost entry would pass for one that stands in it.
 */
export const appendEvent = new LuaScript(
  `
local stream, fence, seen = KEYS[1], KEYS[2], KEYS[3]
local channel, payload, event_id, my_fence = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local epoch, expected_tail = tonumber(ARGV[5]), tonumber(ARGV[6])
local ttl_ms, max_length, trim, max_seen = ARGV[7], ARGV[8], ARGV[9], tonumber(ARGV[10])

if my_fence ~= '' then
  local held = tonumber(redis.call('GET', fence) or '-1')
  if held > tonumber(my_fence) then return { 'fenced', '' } end
  if held < tonumber(my_fence) then redis.call('SET', fence, my_fence) end
end

local tail, tail_epoch, tail_n = '', -1, 0
if redis.call('EXISTS', stream) == 1 then
  local info = redis.call('XINFO', 'STREAM', stream)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then tail = info[i + 1] break end
  end
  local dash = string.find(tail, '-', 1, true)
  tail_epoch, tail_n = tonumber(string.sub(tail, 1, dash - 1)), tonumber(string.sub(tail, dash + 1))
else
  redis.call('DEL', seen)
end

if event_id ~= '' and redis.call('ZSCORE', seen, event_id) then return { 'duplicate', tail } end
if tail_epoch > epoch then return { 'behind', tail } end
if tail_epoch < epoch then tail_n = 0 end
if tail_n < expected_tail then return { 'tail_lost', tail } end

local n = tail_n + 1
local seq = string.format('%.0f-%.0f', epoch, n)
redis.call('XADD', stream, 'MAXLEN', trim, max_length, seq, 'p', payload)
redis.call('PEXPIRE', stream, ttl_ms)
if event_id ~= '' then
  -- Epoch and n in one number that a double holds: older ids go first.
  redis.call('ZADD', seen, epoch * 1000000000 + n, event_id)
  redis.call('ZREMRANGEBYRANK', seen, 0, -max_seen - 1)
end
redis.call('PEXPIRE', seen, ttl_ms)
redis.call('PEXPIRE', fence, ttl_ms)
-- Plain PUBLISH: a Cluster repeats it on every node. SPUBLISH would keep it in the slot, for which the channel has its hash tag.
redis.call('PUBLISH', channel, seq .. ' ' .. payload)
return { 'appended', seq }
`,
  3,
);
