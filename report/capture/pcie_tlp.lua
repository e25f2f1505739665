-- Shows the TLPs of hcasim's captures in Wireshark and tshark:
--   tshark -X lua_script:pcie_tlp.lua -r pcie.pcapng -Y 'pcie_tlp.type == "MRd"'
-- Headers only; the data of a TLP are not in the capture, but for the word of a
-- doorbell.
local p = Proto("pcie_tlp", "PCI Express TLP")
local f = p.fields
f.fmt = ProtoField.uint8("pcie_tlp.fmt", "Format and type", base.HEX)
f.type = ProtoField.string("pcie_tlp.type", "Type")
f.length = ProtoField.uint32("pcie_tlp.length", "Length (DW)")
f.relaxed = ProtoField.bool("pcie_tlp.relaxed", "Relaxed ordering")
f.requester = ProtoField.uint16("pcie_tlp.requester", "Requester ID", base.HEX)
f.completer = ProtoField.uint16("pcie_tlp.completer", "Completer ID", base.HEX)
f.tag = ProtoField.uint16("pcie_tlp.tag", "Tag")
f.first_be = ProtoField.uint8("pcie_tlp.first_be", "First DW byte enables", base.HEX)
f.last_be = ProtoField.uint8("pcie_tlp.last_be", "Last DW byte enables", base.HEX)
f.address = ProtoField.uint64("pcie_tlp.address", "Address", base.HEX)
f.status = ProtoField.uint8("pcie_tlp.status", "Completion status", base.DEC, { [0] = "successful", [1] = "unsupported request", [4] = "completer abort" })
f.bytes = ProtoField.uint16("pcie_tlp.byte_count", "Bytes")
f.lower = ProtoField.uint8("pcie_tlp.lower_address", "Lower address", base.HEX)
f.data = ProtoField.bytes("pcie_tlp.data", "Data")

local names = { [0x00] = "MRd", [0x20] = "MRd", [0x40] = "MWr", [0x60] = "MWr", [0x0a] = "Cpl", [0x4a] = "CplD" }

function p.dissector(buf, pinfo, tree)
  local format = buf(0, 1):uint()
  local name = names[format] or string.format("0x%02x", format)
  local t = tree:add(p, buf(), "PCI Express TLP, " .. name)
  t:add(f.fmt, buf(0, 1))
  t:add(f.type, buf(0, 1), name)
  local n = bit.band(buf(2, 2):uint(), 0x3ff)
  if n == 0 and name ~= "Cpl" then n = 1024 end
  t:add(f.length, buf(2, 2), n)
  t:add(f.relaxed, buf(2, 1), bit.band(buf(2, 1):uint(), 0x20) ~= 0)
  local high = buf(1, 1):uint()
  local extra = (bit.band(high, 0x80) ~= 0 and 512 or 0) + (bit.band(high, 0x08) ~= 0 and 256 or 0)
  local tag, words, info
  if name == "Cpl" or name == "CplD" then
    words, tag = 3, extra + buf(10, 1):uint()
    t:add(f.completer, buf(4, 2))
    t:add(f.status, buf(6, 1), bit.rshift(buf(6, 1):uint(), 5))
    local count = bit.band(buf(6, 2):uint(), 0xfff)
    if count == 0 and name == "CplD" then count = 4096 end
    t:add(f.bytes, buf(6, 2), count)
    t:add(f.requester, buf(8, 2))
    t:add(f.tag, buf(10, 1), tag)
    t:add(f.lower, buf(11, 1))
    info = string.format("%s tag %d, %d bytes", name, tag, count)
  else
    words, tag = 3, extra + buf(6, 1):uint()
    t:add(f.requester, buf(4, 2))
    t:add(f.tag, buf(6, 1), tag)
    t:add(f.last_be, buf(7, 1), bit.rshift(buf(7, 1):uint(), 4))
    t:add(f.first_be, buf(7, 1), bit.band(buf(7, 1):uint(), 15))
    local address
    if bit.band(format, 0x20) ~= 0 then
      words, address = 4, buf(8, 8):uint64()
    else
      address = UInt64(buf(8, 4):uint(), 0)
    end
    t:add(f.address, buf(8, (words - 2) * 4), address)
    info = string.format("%s 0x%s, %d DW", name, address:tohex(), n)
    if name == "MRd" then info = info .. ", tag " .. tag end
  end
  if buf:len() > words * 4 then t:add(f.data, buf(words * 4)) end
  pinfo.cols.protocol = "PCIe"
  pinfo.cols.info = info
  local down = (name == "Cpl" or name == "CplD") or buf(4, 2):uint() == 0
  pinfo.cols.src = down and "root complex" or "adapter"
  pinfo.cols.dst = down and "adapter" or "root complex"
end
