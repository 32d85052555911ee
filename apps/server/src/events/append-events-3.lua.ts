import { LuaScript } from '../platform/redis/lua-script.js';

/**
 * Appends entries in their order, if the writer still holds the run and nothing of the log was lost: all of those
 * that do not stand there already, or none. What comes after the eighth argument are pairs of event id and payload.
 *
 * The tail is the stream's last generated id, not its last entry: an id that was ever given out stays taken.
 * A log that is gone forgets its seen ids too, or a lost entry would pass for one that stands in it.
 */
export const appendEvents = new LuaScript(
  `
local stream, fence, seen = KEYS[1], KEYS[2], KEYS[3]
local channel, my_fence = ARGV[1], ARGV[2]
local epoch, expected_tail = tonumber(ARGV[3]), tonumber(ARGV[4])
local ttl_ms, max_length, trim, max_seen = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8])

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

local new = {}
for i = 9, #ARGV, 2 do
  if ARGV[i] == '' or not redis.call('ZSCORE', seen, ARGV[i]) then new[#new + 1] = i end
end
if #new == 0 then return { 'duplicate', tail } end
if tail_epoch > epoch then return { 'behind', tail } end
if tail_epoch < epoch then tail_n = 0 end
if tail_n < expected_tail then return { 'tail_lost', tail } end

local seq
for offset, i in ipairs(new) do
  local event_id, payload, n = ARGV[i], ARGV[i + 1], tail_n + offset
  seq = string.format('%.0f-%.0f', epoch, n)
  redis.call('XADD', stream, 'MAXLEN', trim, max_length, seq, 'p', payload)
  -- Epoch and n in one number that a double holds: older ids go first.
  if event_id ~= '' then redis.call('ZADD', seen, epoch * 1000000000 + n, event_id) end
  -- Plain PUBLISH: a Cluster repeats it on every node. SPUBLISH would keep it in the slot, for which the channel has its hash tag.
  redis.call('PUBLISH', channel, seq .. ' ' .. payload)
end
redis.call('ZREMRANGEBYRANK', seen, 0, -max_seen - 1)
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ttl_ms) end
return { 'appended', seq }
`,
  3,
);
