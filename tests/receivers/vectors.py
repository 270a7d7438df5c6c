"""Prints what the Python receiver makes of each vector: vectors.py <folder of receiver.py> <vectors.json>."""
import json, sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import receiver

results = []
for vector in json.load(open(sys.argv[2], encoding="utf-8"))["vectors"]:
    body, now = vector["body"].encode(), vector["now"]
    try:
        receiver.verify(body, vector["headers"], vector["secrets"], vector["tolerance_seconds"], now)
        results.append([vector["name"], "verified"])
    except ValueError as error:
        results.append([vector["name"], str(error)])
print(json.dumps(results))
