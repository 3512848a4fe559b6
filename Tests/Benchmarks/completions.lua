-- Completes sign-in links. Arguments: the file with lines of address and code, which the threads share out among themselves, how many
-- threads there are, and the milliseconds of thought as for accepts.lua.
dofile("summary.lua")

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

function init(args)
  local step, think = tonumber(args[2]), tonumber(args[3])
  codes, used = {}, 0
  local index = 0
  for line in io.lines(args[1]) do
    index = index + 1
    if index % step == number - 1 then codes[#codes + 1] = line end
  end
  if think > 0 then
    math.randomseed(number)
    function delay() return math.random(0, 2 * think) end
  end
  wrk.headers["Content-Type"] = "application/json"
end

function request()
  -- Past the last code the server refuses, which the run then reports.
  used = used + 1
  local email, code = (codes[used] or "nobody@example.com spent"):match("(%S+) (%S+)")
  return wrk.format("POST", "/v1/accounts:signInWithEmailLink?key=bench-key", nil,
    '{"email":"' .. email .. '","oobCode":"' .. code .. '"}')
end
